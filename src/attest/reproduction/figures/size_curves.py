"""The accuracy of rows of a table by the size of the training set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attest.reproduction.figures.rows import figure_rows
from attest.reproduction.specs.figure import Picture
from attest.reproduction.specs.metric_names import subset_of
from attest.reproduction.tables.learning_curves import SizePoint, size_points
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.statistics import Summary
from attest.reproduction.tables.table import Table
from attest.runs.records import Record


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


def size_curves(picture: Picture, table: Table) -> SizeCurves | None:
    """Return the curves by training size, from the first column of each panel; None if no row has a figure there."""
    results_of: dict[str, list[PanelResult]] = {}
    for line, result in figure_rows(picture, table):
        results_of.setdefault(line.name, []).append(result)
    points_of = {name: points for name, results in results_of.items() if (points := size_points(results))}
    results = [point.result for points in points_of.values() for point in points]
    if not results:
        return None
    return SizeCurves(
        tuple(size_curve(table.spec.rows[name].title, points) for name, points in points_of.items()),
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
