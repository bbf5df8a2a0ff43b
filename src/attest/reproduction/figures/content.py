"""The content of a figure: its runs, and the numbers that are drawn.

Legend: R runs, C bins of lengths or epochs, B bins of lengths, N examples, S sentences of an example.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

import numpy as np

from attest.inference.attention_maps import SentenceMaps, attention_id, sentence_maps
from attest.reproduction.pages.uncommitted import marked_id
from attest.reproduction.specs.figure import Picture
from attest.reproduction.specs.metric_names import subset_of
from attest.reproduction.tables.groups import Group
from attest.reproduction.tables.learning_curves import SizePoint, size_points
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.statistics import Summary
from attest.reproduction.tables.subsets import arrays_of
from attest.reproduction.tables.table import Line, Table
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
class Curves:
    """The curves of a figure by length or by epoch."""

    curves: tuple[Curve, ...]

    @property
    def ids(self) -> list[str]:
        """The ids of the records that the figure is drawn from."""
        return [run.id for curve in self.curves for run in curve.runs]


@dataclass(frozen=True)
class SizeCurve:
    """The accuracy of one row of the table, by the size of the training set."""

    title: str
    summaries: Mapping[int, Summary]
    """The number of training pairs -> the accuracies of the runs."""
    runs: Mapping[int, tuple[Record, ...]]
    """The number of training pairs -> the runs."""
    deviations: tuple[str, ...]


@dataclass(frozen=True)
class SizeCurves:
    """The curves of a figure by the size of the training set."""

    rows: tuple[SizeCurve, ...]
    measure: str
    """The label of the axis of values."""
    ids: list[str]
    """The ids of the records that the figure is drawn from."""


@dataclass(frozen=True, eq=False)
class Attended:
    """The attention of one run to the words of the figure's sentences."""

    record: Record
    """The record of the attention maps."""
    run: Record
    """The record of the run whose attention it is."""
    title: str
    """The title of the run's row."""
    deviations: tuple[str, ...]
    sentences: tuple[SentenceMaps, ...]

    @property
    def ids(self) -> list[str]:
        """The ids of the records that the figure is drawn from."""
        return [self.run.id, self.record.id]

    def describe_run(self, mark: str = "") -> str:
        """Return a sentence that names the run, its row, data and record of attention; `mark` is put around each id."""
        settings = self.run.settings
        run, record = marked_id(self.run, mark), marked_id(self.record, mark)
        penalty = f"penalty {settings['model.penalty']:g}, " if "model.penalty" in settings else ""
        scale = "" if settings["scale"] == "paper" else f" at scale {settings['scale']}"
        where = f"on {settings['dataset.name']}{scale}, data {mark}{self.run.fingerprint}{mark}"
        return f"Run {run} ({self.title}, {penalty}seed {self.run.seed}) {where}; its attention: record {record}."


Content = Curves | SizeCurves | Attended


@dataclass(frozen=True, eq=False)
class PaperFigure:
    """A figure of a paper, the table that its runs belong to, and its content, None if there is nothing to draw."""

    picture: Picture
    table: Table
    content: Content | None


def figure_content(
    picture: Picture, table: Table, attention: Iterable[Record], stores: Sequence[Store]
) -> Content | None:
    """Return what the records have for a figure, or None if there is nothing to draw."""
    if picture.shows in ("lengths", "epochs"):
        rows = figure_rows(picture, table)
        curves = [curve for line, result in rows if (curve := row_curve(picture, line, result, stores)) is not None]
        return Curves(tuple(curves)) if any(curve.runs for curve in curves) else None
    if picture.shows == "sizes":
        return size_curves(picture, table)
    known = {record.id: record for record in attention}
    for line, group, run in figure_runs(picture, table):
        record = known.get(attention_id(run.id, picture.texts))
        arrays = arrays_of(record.id, stores) if record else None
        if record and arrays is not None:
            return Attended(record, run, line.row.title, group.deviations, tuple(sentence_maps(record, arrays)))
    return None


def figure_rows(picture: Picture, table: Table) -> Iterator[tuple[Line, PanelResult]]:
    """Yield the figure's rows, in its order, with their results in the panels whose runs it shows."""
    lines = {line.name: line for line in table.lines}
    only = table.spec.columns[picture.column].set if picture.column else None
    for row in picture.rows:
        yield from ((lines[row], result) for result in lines[row].panels if only in (None, result.panel.set))


def figure_runs(picture: Picture, table: Table) -> Iterator[tuple[Line, Group, Record]]:
    """Yield the runs of the figure, row by row: the least deviating group first, and its newest run first."""
    for line, result in figure_rows(picture, table):
        for group in result.groups:
            for run in sorted(group.records, key=lambda run: (run.finished, run.id), reverse=True):
                yield line, group, run


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
    """Return the runs with their accuracies at the epochs (C,) at which all of them were evaluated."""
    shared_C = reduce(np.intersect1d, (epoch_C for _, _, epoch_C in curves)) if curves else np.zeros(0)
    return [(run, accuracy_C[np.isin(epoch_C, shared_C)], shared_C) for run, accuracy_C, epoch_C in curves]


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


def size_curves(picture: Picture, table: Table) -> SizeCurves | None:
    """Return the curves by training size, from the first column of each panel; None if no row has a figure there."""
    results_of: dict[str, list[PanelResult]] = {}
    for line, result in figure_rows(picture, table):
        results_of.setdefault(line.row.title, []).append(result)
    points_of = {title: points for title, results in results_of.items() if (points := size_points(results))}
    results = [point.result for points in points_of.values() for point in points]
    if not results:
        return None
    return SizeCurves(
        tuple(size_curve(title, points) for title, points in points_of.items()),
        accuracy_label(results),
        [identity for result in results for identity in result.ids],
    )


def size_curve(title: str, points: Sequence[SizePoint]) -> SizeCurve:
    """Return the curve of one row."""
    return SizeCurve(
        title,
        {point.size: point.accuracy for point in points},
        {point.size: point.result.group.records for point in points if point.result.group},
        tuple(dict.fromkeys(text for point in points for text in point.result.deviations)),
    )


def accuracy_label(results: Sequence[PanelResult]) -> str:
    """Return the label of the axis of values: accuracy, on which test pairs, and whether these are derived."""
    columns = [result.panel.columns[result.panel.name] for result in results]
    which = "/".join(dict.fromkeys(f" on {subset_of(c.metric)} pairs" if subset_of(c.metric) else "" for c in columns))
    derived = any(result.derived(column) for result, column in zip(results, columns, strict=True))
    return f"test accuracy{which}{', derived' * derived}, %"


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
