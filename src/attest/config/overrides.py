"""Parsing of overrides (key=value) by Hydra's own grammar."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Override, Quote, QuotedString
from hydra.errors import OverrideParseException

from attest.errors import SettingsError

PATHS = "paths"
"""The group of the settings that name folders."""
CACHE_SIZE = 10_000
"""The number of texts of overrides whose parse is kept."""


@lru_cache(CACHE_SIZE)
def parse_hydra_override(text: str) -> Override:
    """Return an override as Hydra parses it; raise Hydra's error for users if it is wrong.

    The caller must not change the override.
    """
    (override,) = OverridesParser.create().parse_overrides([text])
    return override


def parse_override(text: str) -> Override:
    """Return a parsed override; raise SettingsError if it does not follow Hydra's grammar."""
    try:
        return parse_hydra_override(text)
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


def override_value(value: Any) -> str:
    """Return a plain value as an override writes it, such as null, true or [a,b]."""
    if isinstance(value, list | tuple):
        return f"[{','.join(map(override_value, value))}]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def quoted(text: str) -> str:
    """Return a text in the quotation marks of Hydra's grammar."""
    return QuotedString(text, Quote.single).with_quotes()


def values_by_key(overrides: Sequence[str]) -> dict[str, str]:
    """Return the text of each override's value, without quotation marks, by the key of the override."""
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


def is_number(value: Any) -> bool:
    """Return whether a value is a number; True and False are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
