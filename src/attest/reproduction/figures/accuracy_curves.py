"""The accuracy of rows of a table by the length of sentences or by epoch.

Legend: R runs, C bins of lengths or epochs, B bins of lengths, N examples, S sentences of an example.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

import numpy as np

from attest.reproduction.specs.figure import Picture
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.subsets import arrays_of
from attest.reproduction.tables.table import Line
from attest.runs.records import Record
from attest.runs.store import Store


@dataclass(frozen=True, eq=False)
class Curve:
    """The accuracy of one row of the table, by length of the sentences or by epoch."""

    title: str
    runs: tuple[Record, ...]
    """The runs with the data of the curve: predictions with lengths, or the accuracy on the test set by epoch."""
    left_out: int
    """The number of further runs, which lack this data."""
    deviations: tuple[str, ...]
    accuracy_RC: np.ndarray
    """The test accuracy of each run in each bin of lengths, or after each epoch."""
    counts_or_epochs_C: np.ndarray
    """The number of examples in each bin of lengths, or the epoch of each accuracy."""


@dataclass(frozen=True, eq=False)
class AccuracyCurves:
    """The curves of a figure by length or by epoch."""

    curves: tuple[Curve, ...]

    @property
    def ids(self) -> list[str]:
        """The ids of the records that the figure is drawn from."""
        return [run.id for curve in self.curves for run in curve.runs]


def row_curve(picture: Picture, line: Line, result: PanelResult, stores: Sequence[Store]) -> Curve | None:
    """Return the curve of one row, or None if the row has no runs."""
    if result.group is None:
        return None
    points = [(run, curve_points(picture, run, stores)) for run in result.group.records]
    known = [(run, *run_points) for run, run_points in points if run_points is not None]
    if picture.shows == "epochs":
        known = at_shared_epochs(known)
    return Curve(
        line.row.title,
        tuple(run for run, _, _ in known),
        len(points) - len(known),
        result.group.deviations,
        np.array([accuracy_C for _, accuracy_C, _ in known]),
        known[0][2] if known else np.zeros(len(picture.bins)),
    )


def at_shared_epochs(
    curves: Sequence[tuple[Record, np.ndarray, np.ndarray]],
) -> list[tuple[Record, np.ndarray, np.ndarray]]:
    """Return the runs with their accuracies at the steps at which all of them were evaluated, and the epochs (C,) of
    these steps in the first run."""
    steps = [np.array([entry["step"] for entry in run.curve if "test/accuracy" in entry]) for run, _, _ in curves]
    shared = reduce(np.intersect1d, steps) if steps else np.zeros(0)
    kept = [np.isin(step_C, shared) for step_C in steps]
    return [
        (run, accuracy_C[kept_C], curves[0][2][kept[0]])
        for (run, accuracy_C, _), kept_C in zip(curves, kept, strict=True)
    ]


def curve_points(picture: Picture, run: Record, stores: Sequence[Store]) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the accuracies (C,) of a run and the number of examples or the epoch (C,) of each; None without data."""
    if picture.shows == "epochs":
        evaluations = [(entry["test/accuracy"], entry["epoch"]) for entry in run.curve if "test/accuracy" in entry]
        return (np.array(evaluations)[:, 0], np.array(evaluations)[:, 1]) if evaluations else None
    predictions = arrays_of(run.id, stores)
    return (
        accuracy_by_length(predictions, picture.bins, picture.length)
        if predictions and "lengths" in predictions
        else None
    )


def accuracy_by_length(
    predictions: Mapping[str, np.ndarray], bins: Sequence[int], length: str = "longest"
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each bin of sentence lengths the accuracy in per cent (B,), NaN if it is empty, and the examples (B,).

    `bins` holds the smallest length of each bin. The length of a pair is that of its longest sentence, or the mean.
    """
    words_NS = predictions["lengths"]
    length_N = words_NS.mean(1) if length == "mean" else words_NS.max(1)
    right_N = predictions["predictions"] == predictions["labels"]
    bin_N = np.digitize(length_N, bins) - 1  # -1 where shorter than the first bin
    inside_N = bin_N >= 0
    counts_B = np.bincount(bin_N[inside_N], minlength=len(bins))
    right_B = np.bincount(bin_N[inside_N], right_N[inside_N], minlength=len(bins))
    return 100 * right_B / np.where(counts_B, counts_B, np.nan), counts_B


def bin_labels(bins: Sequence[int]) -> list[str]:
    """Return the label of each bin, such as 5\N{EN DASH}8; the last bin has no end. A mean length of 8.5
    belongs to 5\N{EN DASH}8 too."""
    closed = [(first, after - 1) for first, after in pairwise(bins)]
    texts = [f"{first}" if first == last else f"{first}\N{EN DASH}{last}" for first, last in closed]
    return [*texts, f"\N{GREATER-THAN OR EQUAL TO}{bins[-1]}"]
