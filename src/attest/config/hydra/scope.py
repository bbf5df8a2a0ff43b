"""The limits of Attest's changes to Hydra: they hold where Hydra composes from conf/, and in no other program."""

from collections.abc import Iterable
from typing import Any

from attest.config.paths import shipped_folder

MAIN = "main"
"""The name that Hydra gives to the folder of a program's primary config."""
LAUNCHERS = "attest/launcher"
"""The group in which Attest's own launchers are stored, so that other programs keep Hydra's."""


def is_of_attest(sources: Iterable[Any]) -> bool:
    """Return whether the elements of a search path, or the sources of a repository, have conf/ as the main folder."""
    main = [str(source.path).removeprefix("file://") for source in sources if source.provider == MAIN]
    return main == [str(shipped_folder("conf"))]
