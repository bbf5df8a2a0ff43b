"""Write the built-in corpora for runs at scale mini."""

from pathlib import Path

from attest.config.settings import HasPaths
from attest.data.mini.write import ensure_corpora


def provide_data(settings: HasPaths) -> None:
    """Write the built-in corpora for a run at scale mini, unless it reads a data folder of the user's own."""
    if reads_built_in_data(settings):
        ensure_corpora(Path(settings.paths.data))


def reads_built_in_data(settings: HasPaths) -> bool:
    """Return whether the data folder is the place of the built-in corpora."""
    return settings.scale == "mini" and Path(settings.paths.data) == Path(settings.paths.cache) / "mini"
