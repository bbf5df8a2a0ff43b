"""The accuracy of rows of a table by the size of the training set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attest.reproduction.figures.majority_baseline import is_near, majority_accuracy
from attest.reproduction.figures.rows import figure_rows
from attest.reproduction.specs.figure import FigureSpec
from attest.reproduction.specs.metric_names import subset_of
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.size_laws import Forecast, PowerLaw, SizePoint, forecasts, size_points
from attest.reproduction.tables.statistics import Summary
from attest.reproduction.tables.table import Table
from attest.runs.records import Record


@dataclass(frozen=True)
class Continuation:
    """The power law of accuracy by training size, beyond our largest training set."""

    law: PowerLaw
    """The law that is fitted to our sizes, the largest included."""
    our_size: int
    """The number of pairs of our largest training set."""
    paper_size: int
    """The number of pairs of the paper's training set."""


@dataclass(frozen=True)
class SizeCurve:
    """The accuracy of one row of the table, by the size of the training set."""

    row: str
    title: str
    summaries: Mapping[int, Summary]
    """The number of training pairs -> the accuracies of the runs."""
    runs: Mapping[int, tuple[Record, ...]]
    """The number of training pairs -> the runs."""
    deviations: tuple[str, ...]
    continuation: Continuation | None = None
    """The curve up to the paper's training set; None if it cannot be fitted, or if our largest set is one that the
    table limits, so that we could run more."""
    printed_accuracy: float | None = None
    """The accuracy that the paper prints for its training set; drawn if the curve is continued to it."""

    @property
    def sizes(self) -> list[int]:
        """The numbers of training pairs, with that of the paper if the curve is continued to it."""
        return [*self.summaries, *([self.continuation.paper_size] if self.continuation else [])]


@dataclass(frozen=True)
class SizeCurves:
    """The curves of a figure by the size of the training set."""

    rows: tuple[SizeCurve, ...]
    measure: str
    """The label of the axis of values."""
    ids: list[str]
    """The ids of the records that the figure is drawn from."""
    majority: float | None = None
    """The share of the most frequent label among the test pairs, in per cent: the majority baseline; None if the
    predictions of no run tell it."""

    @property
    def shows_majority(self) -> bool:
        """True if the majority baseline is near enough to be drawn."""
        lowest = min(summary.mean for row in self.rows for summary in row.summaries.values())
        return is_near(self.majority, lowest)


def size_curves(spec: FigureSpec, table: Table) -> SizeCurves | None:
    """Return the curves by training size, from the first column of each panel; None if no row has a figure there."""
    results_of: dict[str, list[PanelResult]] = {}
    for row, result in figure_rows(spec, table):
        results_of.setdefault(row.name, []).append(result)
    points_of = {name: points for name, results in results_of.items() if (points := size_points(results))}
    results = [point.result for points in points_of.values() for point in points]
    if not results:
        return None
    continued = {} if spec.column else {forecast.row.name: forecast for forecast in forecasts(table)}
    return SizeCurves(
        tuple(
            size_curve(name, table.spec.rows[name].title, points, continued.get(name), printed_accuracy(spec, name))
            for name, points in points_of.items()
        ),
        accuracy_label(results),
        [identity for result in results for identity in result.ids],
        majority_at_sizes(table, results),
    )


def printed_accuracy(spec: FigureSpec, row: str) -> float | None:
    """Return the accuracy that the paper prints for a row in the column that the figure names, or None."""
    name, _, column = spec.printed.rpartition("/")
    rows = load_table(name).rows if name else {}
    figure = rows[row].paper.get(column) if row in rows else None
    return figure.value if figure else None


def size_curve(
    row: str, title: str, points: Sequence[SizePoint], forecast: Forecast | None, printed: float | None
) -> SizeCurve:
    """Return the curve of one row."""
    return SizeCurve(
        row,
        title,
        {point.size: point.accuracy for point in points},
        {point.size: point.result.group.records for point in points if point.result.group},
        tuple(dict.fromkeys(text for point in points for text in point.result.deviations)),
        continuation_of(forecast),
        printed,
    )


def continuation_of(forecast: Forecast | None) -> Continuation | None:
    """Return the continuation of a curve to the paper's training set, or None (see `SizeCurve.continuation`)."""
    if forecast is None or forecast.paper_size is None:
        return None
    limited = forecast.largest.result.cell.settings.protocol.examples is not None
    return None if limited else Continuation(forecast.whole_law, forecast.largest.size, forecast.paper_size)


def majority_at_sizes(table: Table, results: Sequence[PanelResult]) -> float | None:
    """Return the majority baseline (see `majority_accuracy`); None if the results have several metrics."""
    metric, *others = {result.panel.columns[result.panel.name].metric for result in results}
    runs = (record for result in results for group in result.groups for record in group.records)
    return None if others else majority_accuracy(table, runs, metric)


def accuracy_label(results: Sequence[PanelResult]) -> str:
    """Return the label of the axis of values: accuracy, on which test pairs, and whether these are derived."""
    columns = [result.panel.columns[result.panel.name] for result in results]
    which = "/".join(dict.fromkeys(f" on {subset_of(c.metric)} pairs" if subset_of(c.metric) else "" for c in columns))
    derived = any(result.is_derived(column) for result, column in zip(results, columns, strict=True))
    return f"test accuracy{which}{', derived' * derived}, %"
