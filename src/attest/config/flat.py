"""Settings as plain data: nested dicts as JSON and YAML hold them, and flat dicts by dotted key as records do."""

import dataclasses
from collections.abc import Mapping
from typing import Any


def to_plain(value: Any) -> Any:
    """Return a value with dataclasses as dicts, and tuples and sets as lists, ready for JSON.

    It is the reverse of `from_plain`. The items of a set are in the order of their texts: a set has one spelling.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(map(to_plain, value), key=str)
    return value


def is_plain_data(value: Any) -> bool:
    """Return whether a value is None, a text, a number, true or false, or is made of lists and dicts of such."""
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and is_plain_data(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(is_plain_data, value))
    return value is None or isinstance(value, str | int | float)


def flatten(value: Any, where: str = "") -> dict[str, Any]:
    """Return the plain values of all settings that can enter the id of a run, by dotted key."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        items = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if not f.metadata.get("not_hashed")}
    elif isinstance(value, Mapping):
        items = dict(value)
    else:
        return {where: to_plain(value)}
    return {
        key: leaf for name, item in items.items() for key, leaf in flatten(item, f"{where}.{name}".lstrip(".")).items()
    }


def unflatten(flat: Mapping[str, Any], not_hashed: Any, where: str = "") -> dict[str, Any]:
    """Return flat settings as nested dicts for `from_plain`: the reverse of `flatten`.

    Settings that ids do not hash are copied from the dataclass instance `not_hashed`. A setting that an older record
    lacks is left out, so that it gets its default.
    """
    settings: dict[str, Any] = {}
    for field in dataclasses.fields(not_hashed):
        key, value = f"{where}.{field.name}".lstrip("."), getattr(not_hashed, field.name)
        if field.metadata.get("not_hashed"):
            settings[field.name] = to_plain(value)
        elif dataclasses.is_dataclass(value):
            settings[field.name] = unflatten(flat, value, key)
        elif isinstance(value, Mapping):
            settings[field.name] = subtree(flat, key)
        elif key in flat:
            settings[field.name] = flat[key]
    return settings


def subtree(flat: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the settings below the dotted key `where` as nested dicts."""
    return nest({key.removeprefix(f"{where}."): value for key, value in flat.items() if key.startswith(f"{where}.")})


def nest(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by dotted key as nested dicts."""
    nested: dict[str, Any] = {}
    for key, value in flat.items():
        *path, leaf = key.split(".")
        inner = nested
        for name in path:
            inner = inner.setdefault(name, {})
        inner[leaf] = value
    return nested


def schema_defaults(value: Any, where: str = "") -> dict[str, Any]:
    """Return the defaults of all settings that can enter the id of a run and have a default, by dotted key.

    `value` is an instance of the schema.
    """
    values: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        if field.metadata.get("not_hashed"):
            continue
        key, item = f"{where}.{field.name}".lstrip("."), getattr(value, field.name)
        if field.default is not dataclasses.MISSING:
            values |= flatten(field.default, key)
        elif dataclasses.is_dataclass(item):
            values |= schema_defaults(item, key)
    return values
