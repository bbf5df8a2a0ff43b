"""A cache of the composed settings of cells: Hydra takes a tenth of a second for each, and there are hundreds.

Cached settings leave out the paths of this machine. The name of a file holds a hash of every file that the settings
follow from, so that none is out of date; the oldest files are deleted when there are many.
"""

import hashlib
import json
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from attest.config.compose import compose, compose_unchecked
from attest.config.hydra_cache import folders_read
from attest.config.paths import PACKAGE, cache_folder, shipped_folder
from attest.config.schema import parse, to_plain
from attest.config.settings import Paths, Settings
from attest.errors import SettingsError, StorageError
from attest.runs.identity import digest
from attest.system.files import write_json

MOST_FILES = 4000
"""The number of cached settings above which the oldest quarter is deleted; all tables have under 1,000 cells."""
CODE = ("config", "models", "training/optim", "runs/versions.py")
"""The parts of the package that settings follow from: their schema, the classes that they name, and versions."""
LIBRARIES = ("hydra-core", "omegaconf")


@cache
def cached_settings(overrides: tuple[str, ...]) -> Settings:
    """Return the settings that `compose` returns for the overrides, from the cache if no file has changed since.

    Private settings may be those of an earlier call with the same overrides, because cells do not use them.
    """
    path = cache_folder() / "composed" / f"{digest([source_hash(folders_read(overrides)), overrides])}.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return parse(Settings, {**data, "paths": to_plain(paths(scale_of(overrides)))})
    except (OSError, ValueError, SettingsError):  # not cached yet, or damaged: compose again
        result = compose(overrides)
    with suppress(StorageError, OSError):  # without the cache only time is lost
        write_json(path, {name: value for name, value in to_plain(result).items() if name != "paths"})
        prune(path.parent)
    return result


@cache
def paths(scale: str) -> Paths:
    """Return the folders of this machine; `scale` is an override such as scale=mini."""
    return compose_unchecked([scale]).paths


def scale_of(overrides: tuple[str, ...]) -> str:
    """Return the override that sets the scale, such as scale=mini."""
    return next(text for text in overrides if text.startswith("scale="))


@cache
def source_hash(folders: tuple[Path, ...]) -> str:
    """Return a hash of all files that decide what overrides mean.

    These are the files of `folders`, the specifications of tables, the code, and the versions of the libraries.
    """
    places = [*folders, shipped_folder("reproduce"), *(PACKAGE / name for name in CODE)]
    state = hashlib.sha256(repr([version(name) for name in LIBRARIES]).encode())
    for number, place in enumerate(places):
        for path in [place] if place.is_file() else sorted([*place.rglob("*.yaml"), *place.rglob("*.py")]):
            content = path.read_bytes()
            state.update(f"{number} {path.relative_to(place)} {len(content)}\n".encode() + content)
    return state.hexdigest()


@cache
def prune(folder: Path) -> None:
    """Delete the oldest files of a folder that holds more than MOST_FILES; a process looks once."""
    files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    if len(files) > MOST_FILES:
        for path in files[: len(files) - MOST_FILES * 3 // 4]:
            path.unlink(missing_ok=True)
