"""The settings in which a run may deviate from a row of a table and still count for it."""

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

from attest.reproduction.specs.table import TRAINING_LIMITS


def is_shorter(actual: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a run's settings limit its training, or its training examples, more than the wanted ones."""
    return any(is_below(actual.get(key), wanted.get(key)) for key in TRAINING_LIMITS)


def is_below(limit: float | None, full: float | None) -> bool:
    """Return whether one limit is lower than another; None is no limit."""
    return limit is not None and (full is None or limit < full)


@cache
def allowed_deviations(cls: Any, where: str = "") -> Mapping[str, Collection[Any] | None]:
    """Return the settings in which a run may deviate from a row of a table and still count for it.

    The result maps the dotted key of such a setting to its permitted values, or to None if every value is permitted.
    """
    values: dict[str, Collection[Any] | None] = {}
    for field in dataclasses.fields(cls):
        key, allowed = f"{where}.{field.name}".lstrip("."), field.metadata.get("may_deviate")
        if allowed:
            values[key] = None if allowed is True else allowed
        elif isinstance(field.type, type) and dataclasses.is_dataclass(field.type):
            values.update(allowed_deviations(field.type, key))
    return values


def differs_only_as_allowed(
    keys: Iterable[str],
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    allowed: Mapping[str, Collection[Any] | None],
) -> bool:
    """Return whether two runs are the same experiment, given their flat settings and the `keys` in which they differ.

    They are if `allowed`, a result of `allowed_deviations`, permits both values of each key.
    """
    for key in keys:
        if key not in allowed:
            return False
        values = allowed[key]
        if values is not None and not (first.get(key) in values and second.get(key) in values):
            return False
    return True
