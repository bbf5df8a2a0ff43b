"""Descriptions of settings: the values that each accepts, its default, its meaning, and its part in the id of a run.

They are read from the classes: types, defaults, metadata, and the docstring below a field. The meaning of an argument
of a model, a head or an optimiser is in the docstring of its class.
"""

import ast
import dataclasses
import inspect
import types
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from textwrap import dedent
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from attest.config.checks import PASSED_PARAMETERS
from attest.config.components import constructor_hints, constructor_parameters
from attest.config.constraints import Range
from attest.config.error_words import OWN_CLASS_TEXT, dotted_key, type_texts
from attest.config.locate import locate_class
from attest.config.overrides import override_value
from attest.config.schema import hints_and_fields
from attest.config.settings import Settings

InId = Literal["yes", "replicate", "as deviation", "through others", "no"]
"""The part of a setting in a run's id. yes: another value is another experiment; replicate: it is another replicate of
the same experiment; as deviation: it is another run of the same row of a table, with a deviation; through others: ids
hash the settings that take the value, such as those of model and head; no: ids do not hash it."""
IN_ID: Mapping[str, InId] = {
    "through_others": "through others",
    "not_hashed": "no",
    "replicate": "replicate",
    "may_deviate": "as deviation",
}
"""A key of a field's metadata -> the part in the id; the first key that a field has counts."""


@dataclasses.dataclass(frozen=True)
class SettingDoc:
    """A setting with its accepted values, default and meaning."""

    key: str
    values: str
    """The values that it accepts, in words."""
    default: str | None
    """The default as an override writes it; None if it has none, so that a file in conf/ gives the value."""
    meaning: str
    in_id: InId


def setting_docs(cls: type = Settings, where: str = "", not_hashed: bool = False) -> Iterator[SettingDoc]:
    """Yield each setting of a dataclass and of the dataclasses in it, in their order; `where` is the key of `cls`.

    If `not_hashed` is true, none of them is part of the id.
    """
    hints, fields = hints_and_fields(cls)
    meanings = field_docstrings(cls)
    for name, field in fields.items():
        key, hidden = dotted_key(where, name), not_hashed or "not_hashed" in field.metadata
        section = nested_class(hints[name])
        if section is not hints[name]:
            parts: list[InId] = [part for mark, part in IN_ID.items() if mark in field.metadata]
            in_id: InId = "no" if not_hashed else parts[0] if parts else "yes"
            yield SettingDoc(key, accepted_values(hints[name]), default_of(field), meanings[name], in_id)
        if section is not None:
            yield from setting_docs(section, key, hidden)


def argument_docs(settings: Settings, where: str) -> tuple[type, list[SettingDoc]]:
    """Return the class of a component of `settings`, such as the model, and the arguments that it takes."""
    cls = locate_class(getattr(settings, where), where, settings.packages)
    hints = constructor_hints(cls, where)
    arguments = [
        SettingDoc(
            dotted_key(where, name),
            accepted_values(hints[name]) if name in hints else "",
            None if parameter.default is parameter.empty else override_value(parameter.default),
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
    meanings = {}
    for line, text in pairwise(body):
        match line, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(meaning))):
                meanings[name] = " ".join(meaning.split())
    return meanings


def nested_class(hint: Any) -> type | None:
    """Return the dataclass that a type hint names, alone or beside None; None if it names none."""
    options = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return next((option for option in options if dataclasses.is_dataclass(option) and isinstance(option, type)), None)


def accepted_values(hint: Any) -> str:
    """Return in words what a type hint accepts, with the range of a number."""
    words = sorted(dict.fromkeys(alternative_texts(hint)), key=lambda word: (word != "null", word == OWN_CLASS_TEXT))
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def alternative_texts(hint: Any) -> list[str]:
    """Return what a type hint accepts, a text for each alternative; null for None."""
    if hint is types.NoneType:
        return ["null"]
    if get_origin(hint) in (Union, types.UnionType):
        return [word for option in get_args(hint) for word in alternative_texts(option)]
    ranges = [rule for rule in get_args(hint)[1:] if isinstance(rule, Range)] if get_origin(hint) is Annotated else []
    return [" ".join([word, *(rule.words() for rule in ranges)]) for word in type_texts(hint)]


def default_of(field: dataclasses.Field[Any]) -> str | None:
    """Return the default of a field as an override writes it; None if it has none."""
    if field.default_factory is not dataclasses.MISSING:
        return override_value(field.default_factory())
    return None if field.default is dataclasses.MISSING else override_value(field.default)
