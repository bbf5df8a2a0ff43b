"""A cache of the composed settings of cells: Hydra takes a tenth of a second for each, and there are hundreds.

Cached settings leave out the paths of this machine.
"""

import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path

from attest.config import settings
from attest.config.compose import compose, compose_unchecked
from attest.config.paths import home, shipped_folder
from attest.config.schema import parse, to_plain
from attest.config.settings import Paths, Settings
from attest.errors import SettingsError, StorageError
from attest.runs.identity import digest
from attest.system.files import write_json


@cache
def composed(overrides: tuple[str, ...]) -> Settings:
    """Return the settings that `compose` returns, from the cache if no file that settings follow from has changed.

    Private settings are those of the first call, because cells do not use them.
    """
    path = home() / "cache" / "composed" / f"{digest([state(), overrides])}.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return parse(Settings, {**data, "paths": to_plain(paths(scale_of(overrides)))})
    except (OSError, ValueError, SettingsError):  # not cached yet, or damaged: compose again
        result = compose(overrides)
    with suppress(StorageError):  # without the cache only time is lost
        write_json(path, {name: value for name, value in to_plain(result).items() if name != "paths"})
    return result


@cache
def paths(scale: str) -> Paths:
    """Return the paths of this machine at a scale."""
    return compose_unchecked([scale]).paths


def scale_of(overrides: tuple[str, ...]) -> str:
    """Return the override of the scale."""
    return next(text for text in overrides if text.startswith("scale="))


@cache
def state() -> str:
    """Return a hash of all files that settings follow from."""
    folder = shipped_folder("conf")
    files = [*sorted(folder.rglob("*.yaml")), Path(settings.__file__)]
    return hashlib.sha256(b"\0".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()
