"""Settings of a table's cells, kept between commands: Hydra takes a tenth of a second for each, and there are hundreds.

What is kept holds whatever the settings say but the places on this machine.
"""

import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path

from attest.config import settings
from attest.config.compose import compose, compose_unchecked
from attest.config.paths import home, shipped
from attest.config.schema import parse, plain
from attest.config.settings import Paths, Settings
from attest.errors import SettingsError, StorageError
from attest.runs.identity import digest
from attest.system.files import write_json


@cache
def composed(overrides: tuple[str, ...]) -> Settings:
    """As `compose`, from what an earlier command kept, if nothing has changed that settings follow from. Private
    settings are as they were at the first time: of cells nobody asks for them."""
    path = home() / "cache" / "composed" / f"{digest([state(), overrides])}.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return parse(Settings, {**data, "paths": plain(paths(scale_of(overrides)))})
    except (OSError, ValueError, SettingsError):  # not there yet, or damaged: it is made again
        found = compose(overrides)
    with suppress(StorageError):  # nothing is lost but time
        write_json(path, {name: value for name, value in plain(found).items() if name != "paths"})
    return found


@cache
def paths(scale: str) -> Paths:
    return compose_unchecked([scale]).paths


def scale_of(overrides: tuple[str, ...]) -> str:
    return next(text for text in overrides if text.startswith("scale="))


@cache
def state() -> str:
    """Of all files that settings follow from."""
    folder = shipped("conf")
    files = [*sorted(folder.rglob("*.yaml")), Path(settings.__file__)]
    return hashlib.sha256(b"\0".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()
