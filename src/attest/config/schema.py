"""Conversion of plain data (YAML, JSON) into typed dataclasses, with every key, type and range checked.

Settings, table specs and records are all converted here, so that a mistyped key is an error in each of them.
"""

import dataclasses
import math
import types
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from attest.config.constraints import DottedName, FolderName, Range, Synonyms
from attest.config.earlier_setting_names import current_key
from attest.config.error_words import (
    OWN_CLASS_TEXT,
    SCALARS,
    did_you_mean,
    dotted_key,
    list_known_keys,
    type_texts,
    wrong_type_error,
)
from attest.errors import SettingsError

Dataclass = TypeVar("Dataclass")


def from_plain(cls: type[Dataclass], data: Mapping[str, Any], where: str = "") -> Dataclass:
    """Return an instance of the dataclass `cls` made of `data`; `where` is the dotted key of `data`, for error texts.

    Raise SettingsError for an unknown or missing key, or for a value of the wrong type or out of range.
    """
    if not isinstance(data, Mapping):
        raise SettingsError(f"{where or cls.__name__}: expected keys and values, got {data!r}")
    hints, fields = hints_and_fields(cls)
    for key in data:
        if key not in fields:
            if name := current_key(dotted_key(where, key)):
                raise SettingsError(f"{dotted_key(where, key)}: renamed to {name}")
            hint = did_you_mean(str(key), fields, where) or list_known_keys(fields)
            raise SettingsError(f"{dotted_key(where, key)}: unknown setting.{hint}")
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name in data:
            values[name] = convert(data[name], hints[name], dotted_key(where, name))
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise SettingsError(f"{dotted_key(where, name)}: missing; add it")
    return cls(**values)


def check_fields(instance: Any) -> None:
    """Convert the fields of a dataclass to their types, as `from_plain` does; raise SettingsError for a wrong value.

    Settings that are made in Python, and not by `from_plain`, call it when they are made.
    """
    hints, fields = hints_and_fields(type(instance))
    for name in fields:
        object.__setattr__(instance, name, convert(getattr(instance, name), hints[name], name))  # it may be frozen


@cache
def hints_and_fields(cls: type) -> tuple[dict[str, Any], dict[str, dataclasses.Field[Any]]]:
    """Return the type hints and the fields of a dataclass by name, cached because Python computes them at each call."""
    return get_type_hints(cls, include_extras=True), {f.name: f for f in dataclasses.fields(cls) if f.init}


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
            if isinstance(rule, Range | DottedName | FolderName) and converted is not None:
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
        return value if isinstance(value, hint) else from_plain(hint, value, where)
    if origin in (dict, Mapping) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        if not isinstance(value, Mapping):
            raise wrong_type_error(where, "keys and values", value)
        if arguments[1] is Any:
            return {str(key): item for key, item in value.items()}
        return {str(key): convert(item, arguments[1], dotted_key(where, key)) for key, item in value.items()}
    if isinstance(origin, type) and issubclass(origin, Iterable):
        return convert_items(value, origin, arguments, where)
    return convert_scalar(value, hint, where)


def convert_items(value: Any, origin: type, hints: Sequence[Any], where: str) -> Any:
    """Return a list as a list, set or tuple with converted items.

    A tuple such as tuple[int, str] needs as many items as types; any other list has items of the first type of `hints`,
    or of any type if there is none.
    """
    if isinstance(value, str) or not isinstance(value, Sequence | Set):
        raise wrong_type_error(where, "a list", value)
    fixed = origin is tuple and Ellipsis not in hints and len(hints) > 0
    if fixed and len(hints) != len(value):
        raise wrong_type_error(where, f"a list of {len(hints)} values", value)
    own_hints = hints if fixed else [hints[0] if hints else Any] * len(value)
    pairs = zip(value, own_hints, strict=True)
    items = [convert(item, hint, f"{where}[{i}]") for i, (item, hint) in enumerate(pairs)]
    if not issubclass(origin, Set):
        return items if origin is list else tuple(items)
    try:
        return set(items) if origin is set else frozenset(items)
    except TypeError as error:  # its items are lists
        raise wrong_type_error(where, "a list of single values", value) from error


def check_finite(value: object, where: str) -> None:
    """Raise SettingsError, with the key `where`, if the value is infinite or NaN: no record can hold such a number."""
    if isinstance(value, float) and not math.isfinite(value):
        raise SettingsError(f"{where}: {value} is no finite number; type one")


@cache
def origin_and_arguments(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the generic type of a hint and its arguments, as `typing` does, which is slow for thousands of records.

    That of tuple, set and frozenset without arguments is the type itself.
    """
    return (hint, ()) if hint in (tuple, set, frozenset) else (get_origin(hint), get_args(hint))


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
    accepted = dict.fromkeys(word for option in options for word in type_texts(option))
    *words, last = sorted(accepted, key=OWN_CLASS_TEXT.__eq__)
    expected = " or ".join([*([", ".join(words)] if words else []), last])
    if any(get_origin(option) is Literal for option in options):
        hint = f".{near}" if (near := did_you_mean(str(value), accepted)) else own_name_hint(accepted)
        raise SettingsError(f"{where}: {value!r} is not one of {expected}{hint}")
    raise wrong_type_error(where, expected, value)


def own_name_hint(accepted: Collection[str]) -> str:
    """Return the end of an error that says what package.Class stands for; "." if it is not among the accepted words."""
    return (
        f"; {OWN_CLASS_TEXT} is the full name of your own code, as my_module.MyClass" * (OWN_CLASS_TEXT in accepted)
        or "."
    )


def kinds_of(options: Iterable[Any]) -> dict[Any, Any]:
    """Return the dataclasses among the types `options` by the default of their field `kind`, such as sklearn."""
    classes = [option for option in options if dataclasses.is_dataclass(option)]
    return {field.default: option for option in classes for field in dataclasses.fields(option) if field.name == "kind"}


def convert_scalar(value: Any, hint: Any, where: str) -> Any:
    """Return a value that is no list and no mapping as the type `hint`, as `convert` does."""
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    try:
        has_type = isinstance(value, hint)
    except TypeError:  # Python cannot check Callable[...], type[...], a type variable or a protocol
        raise SettingsError(
            f"{where}: expected {hint}, which no setting can state, got {value!r}; leave it out"
        ) from None
    if not has_type or (isinstance(value, bool) and hint is not bool):
        raise wrong_type_error(where, SCALARS.get(hint, hint.__name__), value)
    return value
