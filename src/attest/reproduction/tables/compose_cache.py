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
def cached_settings(overrides: tuple[str, ...]) -> Settings:
    """Return the settings that `compose` returns for the overrides, from the cache if `conf/` has not changed since.

    Private settings may be those of an earlier call with the same overrides, because cells do not use them.
    """
    path = home() / "cache" / "composed" / f"{digest([source_hash(), overrides])}.json"
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
    """Return the folders of this machine; `scale` is an override such as scale=mini."""
    return compose_unchecked([scale]).paths


def scale_of(overrides: tuple[str, ...]) -> str:
    """Return the override that sets the scale, such as scale=mini."""
    return next(text for text in overrides if text.startswith("scale="))


@cache
def source_hash() -> str:
    """Return a hash of all files that decide what overrides mean: those of `conf/` and the schema of the settings."""
    folder = shipped_folder("conf")
    files = [*sorted(folder.rglob("*.yaml")), Path(settings.__file__)]
    return hashlib.sha256(b"\0".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()
