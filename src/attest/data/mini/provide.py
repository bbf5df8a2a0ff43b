"""Write the built-in corpora for runs at scale mini, and at scales of the user's own that extend it."""

from pathlib import Path

from attest.config.settings import HasPaths
from attest.data.mini.write import ensure_corpora


def provide_data(settings: HasPaths) -> None:
    """Write the built-in corpora for a run that reads them, as at scale mini."""
    if reads_built_in_data(settings):
        ensure_corpora(Path(settings.paths.data))


def reads_built_in_data(settings: HasPaths) -> bool:
    """Return whether the data folder is the place of the built-in corpora."""
    return Path(settings.paths.data) == Path(settings.paths.cache) / "mini"
