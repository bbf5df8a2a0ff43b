"""The majority baseline: the accuracy of giving every test item the most frequent label."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from attest.reproduction.tables.table import Table
from attest.runs.records import Record

NEAR = 10.0
"""The distance below the lowest accuracy, in points, up to which the majority baseline is drawn: a line far below would
flatten the others."""


def majority_accuracy(table: Table, runs: Iterable[Record], metric: str) -> float | None:
    """Return the share of the most frequent label among the test items of the runs, in per cent; None if the metric is
    no accuracy, or if no run has left predictions."""
    if "accuracy" not in metric:
        return None
    predictions = next((found for run in runs if (found := table.look_up_predictions(run, metric)) is not None), None)
    if predictions is None:
        return None
    return 100 * float(np.unique(predictions.gold_N, return_counts=True)[1].max()) / len(predictions.gold_N)


def is_near(majority: float | None, lowest: float) -> bool:
    """Return whether the majority baseline is near enough to the lowest accuracy to be drawn."""
    return majority is not None and lowest - majority <= NEAR


def draw_majority(axes: Any, majority: float) -> None:
    """Draw the majority baseline as a dotted line."""
    axes.axhline(majority, color="0.3", linestyle=":", label=f"always the most frequent label ({majority:.1f}%)")
