"""The measure by which a run selects its best weights, such as accuracy: its name, its column, and the best of runs."""

from collections.abc import Mapping, Sequence
from typing import Literal

from attest.reproduction.specs.columns import Column
from attest.runs.records import Record
from attest.runs.selection_rule import measure_of_rule

MEASURES: Mapping[str, tuple[Literal["%", ""], int]] = {"accuracy": ("%", 2), "pearson": ("", 4)}
"""The measure by which a task of the papers selects the best weights -> its unit and its decimals."""


def measure_of(record: Record) -> str:
    """Return the measure by which the run's task selects the best weights, as its rule names it; empty if it has
    none."""
    measure = measure_of_rule(str(record.selected.get("rule", "")))
    names = MEASURES if measure is None else [measure]
    return next((name for name in names if f"dev/{name}" in record.metrics), "")


def measure_column(split: str, measure: str) -> Column:
    """Return the column of a measure on a split."""
    unit, decimals = MEASURES.get(measure, ("", 4))
    return Column(
        title=f"{split} {measure}".strip().capitalize(), metric=f"{split}/{measure}", unit=unit, decimals=decimals
    )


def best_on_dev(records: Sequence[Record]) -> Record | None:
    """Return the record with the highest figure on dev, the first of equals; None if there are none."""
    measured = [record for record in records if measure_of(record)]
    return max(measured, key=lambda record: record.metrics[f"dev/{measure_of(record)}"], default=None)
