"""A cache of what tables need to know about their cells, so that reading tables composes nothing and loads no torch.

It holds composed settings, the defaults and versions of the classes that these name, and sizes of models. The paths of
this machine are left out. The name of a file holds a hash of every file that its content follows from, so that none is
out of date; what trainer.precision=auto stands for is compared with this machine when a file is read. The oldest files
are deleted when there are many.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from attest.config.compose import compose_unchecked, with_device_and_types
from attest.config.flat import flatten, to_plain
from attest.config.hydra.cache import folders_read
from attest.config.hydra.error_locations import locate_errors_in_own_files
from attest.config.own_folders import own_folders
from attest.config.paths import PACKAGE, cache_folder, shipped_folder
from attest.config.schema import from_plain
from attest.config.settings import Paths, Settings, Trainer
from attest.errors import SettingsError, StorageError
from attest.runs.identity import code_versions, default_settings, digest, identifying_settings
from attest.system.files import write_json_undurably

Value = TypeVar("Value")

MAX_CACHE_FILES = 4000
"""The number of cached settings above which the oldest quarter is deleted; all tables have under 1,000 cells."""
CODE = (
    "config",
    "models",
    "training/optim",
    "transfer",
    "runs/versions.py",
    "runs/identity.py",
    "reproduction/tables/model_sizes.py",
)
"""The parts of the package that the content follows from: the schema, the classes that settings name, and counting."""
LIBRARIES = ("hydra-core", "omegaconf", "torch")


@dataclass(frozen=True)
class Composition:
    """The settings that overrides compose to, and what follows from the classes that they name."""

    settings: Settings
    defaults: Mapping[str, Any]
    """The defaults of the settings that runs leave out of their records, by dotted key."""
    versions: Mapping[str, int]
    """The version numbers of the code that the figures depend on."""
    identifying: Mapping[str, Any]
    """The settings that ids hash, by dotted key."""


@cache
def cached_composition(overrides: tuple[str, ...]) -> Composition:
    """Return the composition of the overrides, from the cache if no file has changed since.

    Settings that ids do not hash may be those of an earlier call with the same overrides: cells do not use them.
    """

    def compose_plain() -> dict[str, Any]:
        stated = compose_unchecked(overrides)
        with locate_errors_in_own_files(overrides):
            settings = with_device_and_types(stated)  # without `check_settings`, which is called when a run starts
        plain = {name: value for name, value in to_plain(settings).items() if name != "paths"}
        return {
            "settings": plain,
            "stated_trainer": to_plain(stated.trainer),
            "defaults": default_settings(settings),
            "versions": code_versions(settings),
            "identifying": identifying_settings(settings),
        }

    def parse_plain(data: dict[str, Any]) -> Composition:
        settings = from_plain(Settings, {**data["settings"], "paths": to_plain(paths(scale_override(overrides)))})
        check_number_format(settings, data["stated_trainer"])
        return Composition(settings, data["defaults"], data["versions"], data["identifying"])

    return read_or_compute(["composition", overrides], compose_plain, parse_plain, folders_read(overrides))


def check_number_format(settings: Settings, stated_trainer: Mapping[str, Any]) -> None:
    """Raise ValueError if trainer.precision=auto stood for another number format where the settings were composed."""
    if stated_trainer["precision"] == "auto":
        from attest.config.devices import with_device  # imported here because it loads torch

        if with_device(from_plain(Trainer, stated_trainer), settings.scale).precision != settings.trainer.precision:
            raise ValueError("composed on a machine with another number format")


def cached_size(settings: Settings, metric: str) -> int:
    """Return the count of parameters that a metric such as size/total names, from the cache if no file has changed."""

    def count() -> int:
        from attest.reproduction.tables.model_sizes import model_size  # imported here because it loads torch

        return model_size(settings, metric)

    shape = {name: value for name, value in to_plain(settings).items() if name not in ("paths", "label", "seed")}
    return read_or_compute(["size", metric, shape], count, int, folders_read(()))


@cache
def cached_protocol() -> dict[str, Any]:
    """Return the settings of SentEval's standard protocol by dotted key, from the cache if no file has changed."""

    def settings_of_protocol() -> dict[str, Any]:
        from attest.transfer.settings import Transfer  # imported here because it loads torch

        return flatten(Transfer())

    return read_or_compute(["protocol of transfer"], settings_of_protocol, dict, folders_read(()))


def cached_fit_count(settings: Mapping[str, Any], tasks: Sequence[str]) -> int:
    """Return how many classifiers an evaluation with these settings fits, from the cache if no file has changed."""

    def count() -> int:
        from attest.transfer.fits import fit_count  # imported here because it loads torch
        from attest.transfer.settings import recorded_protocol

        return sum(fit_count(task, recorded_protocol(settings)) for task in tasks)

    return read_or_compute(["fits", settings, tasks], count, int, folders_read(()))


def read_or_compute(
    key: Any, compute: Callable[[], Any], convert: Callable[[Any], Value], folders: tuple[Path, ...]
) -> Value:
    """Return the converted result of `compute`, which JSON can hold, from the file of `key` if it is there and whole.

    `folders` are the folders of configurations that the result follows from.
    """
    path = cache_folder() / "composed" / f"{digest([source_hash(folders), key])}.json"
    try:
        return convert(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, SettingsError):  # not cached yet, or damaged: compute again
        data = compute()
    with suppress(StorageError, OSError):  # without the cache only time is lost
        write_json_undurably(path, data)
        prune(path.parent)
    return convert(data)


@cache
def paths(scale: str) -> Paths:
    """Return the folders of this machine; `scale` is an override such as scale=mini."""
    return compose_unchecked([scale]).paths


def scale_override(overrides: tuple[str, ...]) -> str:
    """Return the override that sets the scale, such as scale=mini."""
    return next(text for text in overrides if text.startswith("scale="))


@cache
def source_hash(folders: tuple[Path, ...]) -> str:
    """Return a hash of all files that decide what overrides mean.

    These are the files of `folders`, the specifications of tables, the code, the user's own folders, and the versions
    of the libraries.
    """
    own = [source for folder in own_folders() for source in folder.sources()]
    places = [*folders, shipped_folder("reproduce"), *(PACKAGE / name for name in CODE), *own]
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
    if len(files) > MAX_CACHE_FILES:
        for path in files[: len(files) - MAX_CACHE_FILES * 3 // 4]:
            path.unlink(missing_ok=True)
