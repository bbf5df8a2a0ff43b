"""Conversion of plain data (YAML, JSON) into typed dataclasses, with every key, type and range checked.

Settings, table specs and records are all converted here, so that a mistyped key is an error in each of them.
"""

import dataclasses
import difflib
import math
import types
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from attest.config.constraints import DottedName, NotEmpty, Range, Synonyms
from attest.config.renamed import present_key
from attest.errors import SettingsError

Dataclass = TypeVar("Dataclass")


SCALARS = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
"""The types of single values, in words."""
OWN_CODE = "package.Class"
"""The name of a class of the user's own, in words."""


def did_you_mean(word: str, known: Iterable[str], where: str = "") -> str:
    """Return " Did you mean NAME?" with the nearest known name, or the empty string if none is near.

    `where` is the key below which the known names stand; it is put in front of the name.
    """
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    if not near:  # a right word in the wrong place: hidden_size for model.hidden_size
        tails = [name for name in names if name.rpartition(".")[2] == word.rpartition(".")[2]]
        near = tails[:1]
    return f" Did you mean {dotted_key(where, near[0])}?" if near else ""


def parse(cls: type[Dataclass], data: Mapping[str, Any], where: str = "") -> Dataclass:
    """Return an instance of the dataclass `cls` made of `data`; `where` is the dotted key of `data`, for error texts.

    Raise SettingsError for an unknown or missing key, or for a value of the wrong type or out of range.
    """
    if not isinstance(data, Mapping):
        raise SettingsError(f"{where or cls.__name__}: expected keys and values, got {data!r}")
    hints, fields = hints_and_fields(cls)
    for key in data:
        if key not in fields:
            if name := present_key(dotted_key(where, key)):
                raise SettingsError(f"{dotted_key(where, key)}: renamed to {name}")
            hint = did_you_mean(str(key), fields, where) or list_known_keys(fields)
            raise SettingsError(f"{dotted_key(where, key)}: unknown setting.{hint}")
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name in data:
            values[name] = convert(data[name], hints[name], dotted_key(where, name))
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise SettingsError(f"{dotted_key(where, name)}: this key is required and missing")
    return cls(**values)


def check_fields(instance: Any) -> None:
    """Convert the fields of a dataclass to their types, as `parse` does; raise SettingsError for a wrong value.

    Settings that are made in Python, and not by `parse`, call it when they are made.
    """
    hints, fields = hints_and_fields(type(instance))
    for name in fields:
        object.__setattr__(instance, name, convert(getattr(instance, name), hints[name], name))  # it may be frozen


@cache
def hints_and_fields(cls: type) -> tuple[dict[str, Any], dict[str, dataclasses.Field[Any]]]:
    """Return the type hints and the fields of a dataclass by name, cached because Python computes them anew."""
    return get_type_hints(cls, include_extras=True), {f.name: f for f in dataclasses.fields(cls) if f.init}


def list_known_keys(names: Iterable[str]) -> str:
    """Return a sentence that lists the known keys, with a space in front, to end an error text."""
    return f" Known here: {', '.join(sorted(names))}."


def dotted_key(where: str, key: object) -> str:
    return f"{where}.{key}" if where else str(key)


def convert(value: Any, hint: Any, where: str) -> Any:
    """Return `value` as the type `hint`, converted only without loss (3 -> 3.0, list -> tuple).

    Raise SettingsError, with the key `where`, if it has another type, is out of range, or is infinite or NaN.
    """
    check_finite(value, where)
    if hint is Any or type(value) is hint:
        return value
    origin, arguments = origin_and_arguments(hint)
    if origin is Annotated:
        for rule in arguments[1:]:
            if isinstance(rule, Synonyms):
                rule.check(value, where)
        converted = convert(value, arguments[0], where)
        for rule in arguments[1:]:
            if isinstance(rule, Range | DottedName | NotEmpty) and converted is not None:
                rule.check(converted, where)
        return converted
    if origin in (Union, types.UnionType):
        return convert_union(value, arguments, where)
    if origin is Literal:
        if value not in arguments:
            options = ", ".join(map(str, arguments))
            raise SettingsError(
                f"{where}: {value!r} is not one of {options}.{did_you_mean(str(value), map(str, arguments))}"
            )
        return value
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return value if isinstance(value, hint) else parse(hint, value, where)
    if origin in (dict, Mapping) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        if not isinstance(value, Mapping):
            raise wrong_type(where, "keys and values", value)
        if arguments[1] is Any:
            return {str(key): item for key, item in value.items()}
        return {str(key): convert(item, arguments[1], dotted_key(where, key)) for key, item in value.items()}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise wrong_type(where, "a list", value)
        items = [convert(item, arguments[0], f"{where}[{i}]") for i, item in enumerate(value)]
        return items if origin is list else tuple(items)
    return convert_scalar(value, hint, where)


def check_finite(value: object, where: str) -> None:
    """Raise SettingsError, with the key `where`, if the value is infinite or NaN: no record can hold such a number."""
    if isinstance(value, float) and not math.isfinite(value):
        raise SettingsError(f"{where}: {value} is no finite number; type one")


@cache
def origin_and_arguments(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the generic type of a hint and its arguments, as `typing` does, which is slow for thousands of records."""
    return get_origin(hint), get_args(hint)


def convert_union(value: Any, options: tuple[Any, ...], where: str) -> Any:
    """Return `value` as the first type of a union that accepts it; dataclasses are chosen by their field `kind`."""
    if value is None and types.NoneType in options:
        return None
    if isinstance(value, Mapping) and (kinds := kinds_of(options)):
        kind = value.get("kind", next(iter(kinds)))
        if kind not in kinds:
            near = did_you_mean(str(kind), map(str, kinds))
            raise SettingsError(f"{where}: {kind!r} is not one of {', '.join(map(str, kinds))}.{near}")
        return convert(value, kinds[kind], where)
    errors = []
    for option in options:
        if option is not types.NoneType:
            try:
                return convert(value, option, where)
            except SettingsError as error:
                errors.append(error)
    other_type = (f"{where}: expected ", f"{where}: {value!r} is not one of ")
    nearer = [error for error in errors if not str(error).startswith(other_type)]
    if nearer or len(errors) == 1:  # the value has the type of an option, but is out of range or has a wrong item
        raise (nearer or errors)[-1]
    accepted = dict.fromkeys(word for option in options for word in in_words(option))
    *words, last = sorted(accepted, key=OWN_CODE.__eq__)
    expected = " or ".join([*([", ".join(words)] if words else []), last])
    if any(get_origin(option) is Literal for option in options):
        raise SettingsError(f"{where}: {value!r} is not one of {expected}.{did_you_mean(str(value), accepted)}")
    raise wrong_type(where, expected, value)


def in_words(hint: Any) -> list[str]:
    """Return what a type hint accepts in words, such as a whole number, without ranges; nothing for None."""
    origin, arguments = origin_and_arguments(hint)
    if origin is Annotated:
        is_name = any(isinstance(rule, DottedName) for rule in arguments[1:])
        return [OWN_CODE] if is_name else in_words(arguments[0])
    if origin is Literal:
        return [str(value) for value in arguments]
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return ["a list"]
    if dataclasses.is_dataclass(hint) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return ["keys and values"]
    return [] if hint is types.NoneType else SCALARS.get(hint, getattr(hint, "__name__", str(hint))).split(" or ")


def kinds_of(options: Iterable[Any]) -> dict[Any, Any]:
    """Return the dataclasses among the types `options` by the default of their field `kind`, such as sklearn."""
    classes = [option for option in options if dataclasses.is_dataclass(option)]
    return {field.default: option for option in classes for field in dataclasses.fields(option) if field.name == "kind"}


def convert_scalar(value: Any, hint: Any, where: str) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        raise wrong_type(where, SCALARS.get(hint, hint.__name__), value)
    return value


def wrong_type(where: str, expected: str, value: Any) -> SettingsError:
    """Return the error of a value of another type than the expected one."""
    hint = ""
    if expected.startswith("text") and isinstance(value, bool):
        hint = "; YAML reads yes, no, on and off as true or false unless they are in quotes"
    elif expected.startswith("text") and isinstance(value, int | float):
        hint = "; put a text of digits into quotes"
    return SettingsError(f"{where}: expected {expected}, got {value!r}{hint}")
