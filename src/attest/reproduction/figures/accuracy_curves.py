"""The accuracy of rows of a table by the length of sentences or by epoch.

Legend: R runs, C bins of lengths or epochs, B bins of lengths, N examples, S sentences of an example.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from attest.reproduction.figures.majority_baseline import is_near
from attest.reproduction.figures.shared_curves import curve_by_step, shared_curves
from attest.reproduction.specs.figure import FigureSpec
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import RowResults
from attest.runs.records import Record
from attest.runs.store import Store, first_arrays


@dataclass(frozen=True, eq=False)
class Curve:
    """The accuracy of one row of the table, by length of the sentences or by epoch."""

    row: str
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
    majority: float | None = None
    """The majority baseline in per cent (see `majority_accuracy`); None if it is unknown."""

    @property
    def shows_majority(self) -> bool:
        """True if the majority baseline is near enough to be drawn."""
        lowest = min(float(np.nanmin(curve.accuracy_RC.mean(0))) for curve in self.curves if curve.runs)
        return is_near(self.majority, lowest)

    @property
    def ids(self) -> list[str]:
        """The ids of the records that the figure is drawn from."""
        return [run.id for curve in self.curves for run in curve.runs]


def row_curve(spec: FigureSpec, row: RowResults, result: PanelResult, stores: Sequence[Store]) -> Curve | None:
    """Return the curve of one row, or None if the row has no runs."""
    if result.group is None:
        return None
    records = result.group.records
    if spec.shows == "epochs":
        runs, accuracy_RC, counts_or_epochs_C = curves_by_epoch(records)
    else:
        runs, accuracy_RC, counts_or_epochs_C = curves_by_length(spec, records, stores)
    return Curve(
        row.name,
        spec.legend.get(row.name, row.spec.title),
        tuple(runs),
        len(records) - len(runs),
        result.group.deviations,
        accuracy_RC,
        counts_or_epochs_C,
    )


def curves_by_epoch(records: Sequence[Record]) -> tuple[list[Record], np.ndarray, np.ndarray]:
    """Return the runs that were evaluated on the test set in training, their accuracies (R, C) at the steps that all of
    them share, and the epochs (C,) of these steps in the first run."""
    runs = [run for run in records if curve_by_step(run, "test/accuracy")]
    steps, accuracy_RC = shared_curves(runs, "test/accuracy")
    epochs = curve_by_step(runs[0], "epoch") if runs else {}
    return runs, accuracy_RC, np.array([epochs[step] for step in steps])


def curves_by_length(
    spec: FigureSpec, records: Sequence[Record], stores: Sequence[Store]
) -> tuple[list[Record], np.ndarray, np.ndarray]:
    """Return the runs whose predictions have lengths, their accuracies (R, C), and the examples (C,) of each bin."""
    predictions = [(run, first_arrays(run.id, stores)) for run in records]
    curves = [
        (run, *accuracy_by_length(arrays, spec.bins, spec.length))
        for run, arrays in predictions
        if arrays and "lengths" in arrays
    ]
    counts_C = curves[0][2] if curves else np.zeros(len(spec.bins))
    return [run for run, _, _ in curves], np.array([accuracy_C for _, accuracy_C, _ in curves]), counts_C


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


def standard_errors(curves: Sequence[Curve]) -> np.ndarray:
    """Return for each bin of lengths the standard error in points of an accuracy, from its number of examples (B,).

    It is that of the mean accuracy over the curves: the chance of which examples are in the bin.
    """
    share_B = np.mean([curve.accuracy_RC.mean(0) for curve in curves], axis=0) / 100
    counts_B = curves[0].counts_or_epochs_C
    return 100 * np.sqrt(share_B * (1 - share_B) / np.where(counts_B, counts_B, np.nan))


def bin_labels(bins: Sequence[int], length: str = "longest") -> list[str]:
    """Return the label of each bin, such as 5\N{EN DASH}8; the last bin has no end.

    A mean length may be 8.5, so a bin of mean lengths is named by the length that begins the next: 5\N{EN DASH}<9.
    """
    if length == "mean":
        texts = [f"{first}\N{EN DASH}<{after}" for first, after in pairwise(bins)]
    else:
        closed = [(first, after - 1) for first, after in pairwise(bins)]
        texts = [f"{first}" if first == last else f"{first}\N{EN DASH}{last}" for first, last in closed]
    return [*texts, f"\N{GREATER-THAN OR EQUAL TO}{bins[-1]}"]
