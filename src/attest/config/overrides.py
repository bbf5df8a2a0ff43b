"""Parsing of overrides (key=value) by Hydra's own grammar, and their adaptation to the types of the settings."""

import dataclasses
import os
import re
from collections.abc import Collection, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from hydra.core.override_parser.types import ChoiceSweep, Override
from hydra.errors import OverrideParseException

from attest.config import parsed_once
from attest.errors import SettingsError

PATHS = "paths"
"""The group of the settings that name folders."""
FUNCTION = re.compile(r"\w+ *\(")
"""The beginning of a value that is a function of Hydra's grammar, such as choice(1,2)."""


def parse_override(text: str) -> Override:
    """Return a parsed override; raise SettingsError if it does not follow Hydra's grammar."""
    try:
        return parsed_once.parse_override(text)
    except OverrideParseException as error:
        raise SettingsError(malformed_override(text)) from error


def malformed_override(text: str) -> str:
    """Return the error text for an override that does not follow Hydra's grammar."""
    return (
        f"{text!r}: not of the form key=value, as Hydra's grammar has it; put special characters into quotes inside "
        "those of the shell, as in \"key='value'\""
    )


def key_of(text: str) -> str:
    """Return the dotted key, or the group, that an override sets, adds or deletes."""
    return parse_override(text).key_or_group


def root_of(text: str) -> str:
    """Return the first part of the dotted key that an override sets."""
    return key_of(text).partition(".")[0]


def format_value(value: Any) -> str:
    """Return a plain value as an override writes it, such as null, true or [a,b]."""
    if isinstance(value, list | tuple):
        return f"[{','.join(map(format_value, value))}]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def quoted(text: str) -> str:
    """Return a text in the quotation marks of Hydra's grammar."""
    escaped = re.sub(r"(\\*)'", r"\1\1\'", text)
    escaped = re.sub(r"(\\+)$", r"\1\1", escaped)  # backslashes at the end would escape the closing mark
    return f"'{escaped}'"


def typed_values(overrides: Sequence[str]) -> dict[str, str]:
    """Return the value of each override as it is typed, without quotation marks, by its key."""
    return {key_of(text): text.partition("=")[2].strip("'\"") for text in overrides}


def path_overrides(overrides: Sequence[str]) -> list[str]:
    """Return the overrides that set paths, such as paths.home=/data."""
    return [text for text in overrides if root_of(text) == PATHS]


def split_overrides(overrides: Sequence[str], keys: Collection[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the values of the overrides that set one of `keys`, by key, and the list of the other overrides."""
    values: dict[str, Any] = {}
    others: list[str] = []
    for text in overrides:
        override = parse_override(text)
        if override.key_or_group in keys and not override.is_delete():
            values[override.key_or_group] = value_of(override)
        else:
            others.append(text)
    return values, others


def value_of(override: Override) -> Any:
    """Return the value of an override as plain data: a list if it holds several values separated by commas."""
    value = override.value()
    return Override._convert_value(value.list) if isinstance(value, ChoiceSweep) else value


def alternatives_of(text: str) -> list[Any]:
    """Return the values that an override separates by commas, or its only value, as plain data."""
    override = parse_override(text)
    value = value_of(override)
    return list(value) if isinstance(override.value(), ChoiceSweep) else [value]


def fit_overrides(overrides: Sequence[str], cls: type) -> list[str]:
    """Return the overrides, rewritten so that Hydra reads their values as the types of the dataclass `cls`.

    The list `treebanks=sick,sst` becomes `treebanks=[sick,sst]`. A text that looks like a number, such as the run id in
    `phrases.parser_run=12e4`, or that Hydra's grammar refuses, such as `paths.data=~/x`, is put into quotes, and ~ in a
    path becomes the home folder. Sweeps over lists and functions such as choice(1,2) stay as they are.
    """
    return [fit_override(text, cls) for text in overrides]


def fit_override(text: str, cls: type) -> str:
    """Return one override, rewritten so that Hydra reads its value as the type that `cls` has for its key."""
    text = with_quotes(text, cls)
    override = parse_override(text)
    hint = type_of(cls, override.key_or_group)
    key, equals, raw = text.partition("=")
    if not equals or hint is None or FUNCTION.match(raw):
        return text
    items = alternatives_of(text)
    if is_list(hint):
        return f"{key}=[{raw}]" if all(isinstance(item, str | int | float) for item in items) else text
    texts = raw.split(",") if isinstance(override.value(), ChoiceSweep) else [raw]
    if is_text(hint) and any(is_number(item) for item in items) and len(texts) == len(items):
        texts = [f"'{word.strip()}'" if is_number(item) else word for item, word in zip(items, texts, strict=True)]
    elif root_of(text) == PATHS and any(str(item).startswith("~") for item in items):
        texts = [quoted(os.path.expanduser(str(item))) for item in items]
    return f"{key}={','.join(texts)}"


def with_quotes(text: str, cls: type) -> str:
    """Return an override of a text setting with quotes if Hydra's grammar refuses its value, any other as it is."""
    key, _, raw = text.partition("=")
    if not is_text(type_of(cls, key.lstrip("+~"))):
        return text
    try:
        parsed_once.parse_override(text)
    except OverrideParseException:
        return f"{key}={','.join(quoted(item.strip()) for item in raw.split(','))}"
    return text


def is_number(value: Any) -> bool:
    """Return whether a value is a number; True and False are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_text(hint: Any) -> bool:
    """Return whether a type hint allows only text, or also None."""
    return allowed_types(hint) == {str}


def is_list(hint: Any) -> bool:
    """Return whether a type hint allows a sequence of values."""
    return any(isinstance(get_origin(option), type) and issubclass(get_origin(option), Sequence)
               for option in allowed_types(hint))  # fmt: skip


def allowed_types(hint: Any) -> set[Any]:
    """Return the types that a type hint allows, without None and without annotations such as Range."""
    if get_origin(hint) is Annotated:
        return allowed_types(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return set().union(*(allowed_types(option) for option in get_args(hint) if option is not NoneType))
    return {hint}


@cache
def type_of(cls: type, key: str) -> Any:
    """Return the type hint of the setting at a dotted key below the dataclass `cls`, or None if it has none."""
    name, _, rest = key.partition(".")
    hint = get_type_hints(cls, include_extras=True).get(name)
    if not rest or hint is None:
        return hint
    nested = [option for option in allowed_types(hint) if isinstance(option, type) and dataclasses.is_dataclass(option)]
    return type_of(nested[0], rest) if len(nested) == 1 else None
