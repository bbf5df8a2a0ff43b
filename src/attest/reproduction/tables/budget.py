"""The budget: settings in which a run may differ from the paper's and still count for a row."""

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

from attest.reproduction.specs.table import LENGTHS


def is_shorter(actual: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a run's settings limit its training, or its training examples, more than the wanted ones."""
    return any(is_below(actual.get(key), wanted.get(key)) for key in LENGTHS)


def is_below(limit: float | None, full: float | None) -> bool:
    """Return whether one limit is lower than another; None is no limit."""
    return limit is not None and (full is None or limit < full)


@cache
def budget_values(cls: Any, where: str = "") -> Mapping[str, Collection[Any] | None]:
    """Return the settings that a run may change and still count for the paper's row of a table.

    The result maps the dotted key of such a setting to its permitted values, or to None if every value is permitted.
    """
    values: dict[str, Collection[Any] | None] = {}
    for field in dataclasses.fields(cls):
        key, budget = f"{where}.{field.name}".lstrip("."), field.metadata.get("budget")
        if budget:
            values[key] = None if budget is True else budget
        elif isinstance(field.type, type) and dataclasses.is_dataclass(field.type):
            values.update(budget_values(field.type, key))
    return values


def within_budget(
    keys: Iterable[str],
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    budget: Mapping[str, Collection[Any] | None],
) -> bool:
    """Return whether two runs are the same experiment, given their flat settings and the `keys` in which they differ.

    They are if `budget`, a result of `budget_values`, permits both values of each key.
    """
    for key in keys:
        if key not in budget:
            return False
        values = budget[key]
        if values is not None and not (first.get(key) in values and second.get(key) in values):
            return False
    return True
