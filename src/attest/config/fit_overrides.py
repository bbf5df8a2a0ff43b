"""The adaptation of overrides, as users type them, to the types of the settings that they set."""

import dataclasses
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from hydra.core.override_parser.types import ChoiceSweep
from hydra.errors import OverrideParseException

from attest.config.overrides import (
    PATHS,
    alternatives_of,
    is_number,
    parse_hydra_override,
    parse_override,
    quoted,
    root_of,
)

FUNCTION = re.compile(r"\w+ *\(")
"""The beginning of a value that is a function of Hydra's grammar, such as choice(1,2)."""


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
    """Return an override of a text setting with quotes if Hydra's grammar refuses its value, any other as it is.

    A comma separates values, unless a blank follows it, as in a note.
    """
    key, _, raw = text.partition("=")
    bare_key = key.lstrip("+~")
    if not is_text(type_of(cls, bare_key)):
        return text
    try:
        parse_hydra_override(text)
    except OverrideParseException:
        texts = [raw] if ", " in raw and bare_key.partition(".")[0] != PATHS else raw.split(",")
        return f"{key}={','.join(quoted(item.strip()) for item in texts)}"
    return text


def is_text(hint: Any) -> bool:
    """Return whether a type hint allows only text, or also None."""
    return allowed_types(hint) == {str}


def is_list(hint: Any) -> bool:
    """Return whether a type hint allows a list of values."""
    origins = [get_origin(option) for option in allowed_types(hint)]
    return any(isinstance(o, type) and issubclass(o, Iterable) and not issubclass(o, Mapping) for o in origins)


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
