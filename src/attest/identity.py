"""Which run is it? Names computed from settings, versions of the code, and the data.

The id of a run hashes what differs from the defaults, so that a new setting leaves old runs their names, and
nothing that cannot change a figure: no path, thread count, logger, commit or library version.
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from attest import components, preparation
from attest.schema import flatten, plain
from attest.settings import Settings

COMPONENTS = ("model", "head", "optimizer")
PROTOCOL_VERSION = 2
"""Raised whenever training or evaluation under the same settings would give other figures."""


def restored(flat: Mapping[str, Any], private: Any, where: str = "") -> dict[str, Any]:
    """The reverse of `flatten`, ready to be parsed; what is private is that of `private`.

    What an older record lacks stays away, for the schema's defaults.
    """
    found: dict[str, Any] = {}
    for field in dataclasses.fields(private):
        key, value = f"{where}.{field.name}".lstrip("."), getattr(private, field.name)
        if field.metadata.get("private"):
            found[field.name] = plain(value)
        elif dataclasses.is_dataclass(value):
            found[field.name] = restored(flat, value, key)
        elif isinstance(value, Mapping):
            found[field.name] = nested(flat, key)
        elif key in flat:
            found[field.name] = flat[key]
    return found


def nested(flat: Mapping[str, Any], where: str) -> dict[str, Any]:
    """What stands below the dotted key `where`."""
    found: dict[str, Any] = {}
    for key, value in flat.items():
        if key.startswith(f"{where}."):
            *path, leaf = key.removeprefix(f"{where}.").split(".")
            inner = found
            for name in path:
                inner = inner.setdefault(name, {})
            inner[leaf] = value
    return found


def defaults(value: Any, where: str = "") -> dict[str, Any]:
    """Dotted key -> default of the schema, as far as it has one."""
    found: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        key, item = f"{where}.{field.name}".lstrip("."), getattr(value, field.name)
        if field.default is not dataclasses.MISSING:
            found |= flatten(field.default, key)
        elif dataclasses.is_dataclass(item):
            found |= defaults(item, key)
    return found


def differences(settings: Settings) -> dict[str, Any]:
    """The settings that make this run what it is, the seed among them."""
    known = defaults(settings)
    changed = {key: value for key, value in flatten(settings).items() if key not in known or known[key] != value}
    for name in COMPONENTS:
        component = components.differences(getattr(settings, name), settings.packages)
        changed = {key: value for key, value in changed.items() if not key.startswith(f"{name}.")}
        changed |= {f"{name}.{key}": plain(value) for key, value in component.items()}
    return changed


def usual(settings: Settings) -> dict[str, Any]:
    """Dotted key -> what a run did that was made before this setting was there: the default, of schema or class."""
    known = defaults(settings)
    for name in COMPONENTS:
        cls = components.locate(getattr(settings, name), name, settings.packages)
        given = components.parameters(cls).items()
        known |= {f"{name}.{key}": plain(item.default) for key, item in given if item.default is not item.empty}
    return known


def versions(settings: Settings) -> dict[str, int]:
    """Version numbers of the code that this run goes through."""
    found = {name: components.locate(getattr(settings, name), name, settings.packages) for name in COMPONENTS}
    return {
        **{name: int(getattr(cls, "version", 0)) for name, cls in found.items()},
        "preparation": preparation.VERSION,
        "protocol": PROTOCOL_VERSION,
    }


def digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]


def cell_id(settings: Settings, replicate: str = "seed") -> str:
    """The same for all replicates of one experiment, whatever the data; `replicate` is the setting they differ in."""
    shared = {key: value for key, value in differences(settings).items() if key != replicate}
    return digest([shared, versions(settings)])


def run_id(settings: Settings, fingerprint: str) -> str:
    """One run: one experiment, one replicate, one state of the data. Which parser made trees is part of that state,
    however it was named."""
    own = {key: value for key, value in differences(settings).items() if key != "parser.run"}
    return digest([own, versions(settings), fingerprint])


def name_of(settings: Settings) -> str:
    """Row and replicate, for people: not the name of one run alone."""
    row = settings.label.row or str(settings.model["_target_"]).rpartition(".")[2]
    fold = "" if settings.protocol.fold is None else f" {settings.dataset.name} fold={settings.protocol.fold}"
    return f"{row}{fold} seed={settings.seed}"


def budget_keys(cls: Any, where: str = "") -> set[str]:
    """Dotted keys of the settings that may be smaller than the paper's."""
    keys = set()
    for field in dataclasses.fields(cls):
        key = f"{where}.{field.name}".lstrip(".")
        if field.metadata.get("budget"):
            keys.add(key)
        elif isinstance(field.type, type) and dataclasses.is_dataclass(field.type):
            keys |= budget_keys(field.type, key)
    return keys
