"""The settings of a run explained: the values that each accepts, its default and meaning, and whether the id holds it.

All of it is read from the classes: types, defaults, marks, and the docstring below a field. The meaning of an argument
of a model, a head or an optimiser is in the docstring of its class.
"""

import ast
import dataclasses
import inspect
import types
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from textwrap import dedent
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from attest.config.checks import PASSED_PARAMETERS
from attest.config.components import constructor_hints, constructor_parameters
from attest.config.constraints import Range
from attest.config.error_words import OWN_CLASS_TEXT, dotted_key, in_words
from attest.config.locate import locate_class
from attest.config.overrides import format_value
from attest.config.schema import hints_and_fields
from attest.config.settings import Settings

InId = Literal["yes", "as budget", "no"]
"""The part of a setting in a run's id. yes: another value is another experiment; as budget: it is another run of the
same row of a table, with a deviation; no: the setting changes no figure, or only through other settings."""


@dataclasses.dataclass(frozen=True)
class Explained:
    """A setting and what there is to know about it."""

    key: str
    values: str
    """The values that it accepts, in words."""
    default: str | None
    """The default as an override writes it; None if it has none, so that a file in conf/ gives the value."""
    meaning: str
    in_id: InId


def explained_settings(cls: type = Settings, where: str = "", private: bool = False) -> Iterator[Explained]:
    """Yield each setting of a dataclass and of the dataclasses in it, in their order; `where` is the key of `cls`.

    If `private` is true, none of them is part of the id.
    """
    hints, fields = hints_and_fields(cls)
    meanings = field_docstrings(cls)
    for name, field in fields.items():
        key, hidden = dotted_key(where, name), private or "private" in field.metadata
        section = nested_class(hints[name])
        if section is not hints[name]:
            in_id: InId = "no" if hidden else "as budget" if "budget" in field.metadata else "yes"
            yield Explained(key, accepted_values(hints[name]), default_of(field), meanings[name], in_id)
        if section is not None:
            yield from explained_settings(section, key, hidden)


def explained_arguments(settings: Settings, where: str) -> tuple[type, list[Explained]]:
    """Return the class of a component of `settings`, such as the model, and the arguments that it takes."""
    cls = locate_class(getattr(settings, where), where, settings.packages)
    hints = constructor_hints(cls, where)
    arguments = [
        Explained(
            dotted_key(where, name),
            accepted_values(hints[name]) if name in hints else "",
            None if parameter.default is parameter.empty else format_value(parameter.default),
            "",
            "yes",
        )
        for name, parameter in constructor_parameters(cls).items()
        if name not in PASSED_PARAMETERS[where]
    ]
    return cls, arguments


@cache
def field_docstrings(cls: type) -> dict[str, str]:
    """Return the docstring below each field of a dataclass, on one line, by the name of the field."""
    (body,) = (node.body for node in ast.parse(dedent(inspect.getsource(cls))).body if isinstance(node, ast.ClassDef))
    found = {}
    for line, text in pairwise(body):
        match line, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(meaning))):
                found[name] = " ".join(meaning.split())
    return found


def nested_class(hint: Any) -> type | None:
    """Return the dataclass that a type hint names, alone or beside None; None if it names none."""
    options = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return next((option for option in options if dataclasses.is_dataclass(option) and isinstance(option, type)), None)


def accepted_values(hint: Any) -> str:
    """Return in words what a type hint accepts, with the range of a number."""
    words = sorted(dict.fromkeys(words_of(hint)), key=lambda word: (word != "null", word == OWN_CLASS_TEXT))
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def words_of(hint: Any) -> list[str]:
    """Return what a type hint accepts, a text for each alternative; null for None."""
    if hint is types.NoneType:
        return ["null"]
    if get_origin(hint) in (Union, types.UnionType):
        return [word for option in get_args(hint) for word in words_of(option)]
    ranges = [rule for rule in get_args(hint)[1:] if isinstance(rule, Range)] if get_origin(hint) is Annotated else []
    return [" ".join([word, *map(range_words, ranges)]) for word in in_words(hint)]


def range_words(allowed: Range) -> str:
    """Return a range in words, such as "from 0 to 1"."""
    low = f"{'above' if allowed.open_low else 'from'} {allowed.low:g}"
    if allowed.high == float("inf"):
        return low if allowed.open_low else f"{low} on"
    return f"{low} to {'below ' if allowed.open_high else ''}{allowed.high:g}"


def default_of(field: dataclasses.Field[Any]) -> str | None:
    """Return the default of a field as an override writes it; None if it has none."""
    if field.default_factory is not dataclasses.MISSING:
        return format_value(field.default_factory())
    return None if field.default is dataclasses.MISSING else format_value(field.default)
