"""The charts of a sweep: the test figure along its axes, and the learning curves of its runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from attest.reproduction.figures.legends import legend_below
from attest.reproduction.figures.mean_lines import PERCENTS, UNBOUNDED, draw_band, draw_mean
from attest.reproduction.figures.shared_curves import shared_curves
from attest.reproduction.figures.style import canvas
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.measures import measure_column
from attest.reproduction.tables.statistics import Summary
from attest.reproduction.tables.sweeps import SweepTable

BOUNDS = {"accuracy": PERCENTS, "pearson": (-1.0, 1.0)}
"""The measure -> the lowest and the highest value that it can have; none are known of a measure of one's own."""
LabelledPoints = tuple[str, list[tuple[str, Summary]]]
"""A label and, for each value of the axis that is drawn from left to right, the figures there."""


def draw_sweep(table: SweepTable, path: Path) -> None:
    """Draw the mean test figure: lines along a numeric axis if there is one, else bars along the first axis."""
    measure = next(row.measure for row in table.rows if row.summary(f"test/{row.measure}"))
    place = next((index for index in range(len(table.axes)) if is_numeric(table, index)), 0)
    axis_values = list(dict.fromkeys(row.values[place] for row in table.rows)) if table.axes else [""]
    with canvas(path, 6.4, 4.0) as figure:
        axes = figure.subplots()
        groups = points_by_label(table, place, f"test/{measure}")
        if table.axes and is_numeric(table, place):
            draw_sweep_lines(axes, groups, BOUNDS.get(measure, UNBOUNDED))
        else:
            draw_sweep_bars(axes, groups, axis_values)
        axes.set_xlabel(table.axes[place] if table.axes else "")
        column = measure_column("test", measure)
        axes.set_ylabel(axis_label(column))
        if any(label for label, _ in groups):
            legend_below(figure)


def axis_label(column: Column) -> str:
    """Return the label of an axis that shows the figures of a column."""
    return f"{column.title.lower()}, {column.unit}" if column.unit else column.title.lower()


def is_numeric(table: SweepTable, place: int) -> bool:
    """Return whether an axis has several values, all of which are numbers."""
    values = {row.values[place] for row in table.rows}
    return len(values) > 1 and all(number_or_none(value) is not None for value in values)


def number_or_none(text: str) -> float | None:
    """Return the number that a text stands for, or None."""
    try:
        return float(text)
    except ValueError:
        return None


def points_by_label(table: SweepTable, place: int, metric: str) -> list[LabelledPoints]:
    """Return the figures of the rows along one axis, in a group for each combination of the other axes."""
    groups: dict[str, list[tuple[str, Summary]]] = {}
    for row in table.rows:
        others = [
            f"{axis}={value}"
            for index, (axis, value) in enumerate(zip(table.axes, row.values, strict=True))
            if index != place
        ]
        if (summary := row.summary(metric)) is not None:
            groups.setdefault(" ".join(others), []).append((row.values[place] if row.values else "", summary))
    return list(groups.items())


def draw_sweep_lines(axes: Any, groups: Sequence[LabelledPoints], bounds: tuple[float, float]) -> None:
    """Draw a line for each group, with a band of one standard deviation, within bounds, around means of replicates."""
    for label, points in groups:
        ordered = sorted(points, key=lambda point: float(point[0]))
        sds = [np.nan if summary.sd is None else summary.sd for _, summary in ordered]
        means = np.array([summary.mean for _, summary in ordered])
        draw_band(axes, [float(value) for value, _ in ordered], means, np.array(sds), label=label, bounds=bounds)


def draw_sweep_bars(axes: Any, groups: Sequence[LabelledPoints], axis_values: Sequence[str]) -> None:
    """Draw a bar for each figure, with its value above it and the standard deviation as its error.

    The bars of one value of the axis stand side by side.
    """
    width = 0.8 / len(groups)
    for turn, (label, points) in enumerate(groups):
        x = [axis_values.index(value) + width * (turn + 0.5) - 0.4 for value, _ in points]
        errors = [summary.sd or 0.0 for _, summary in points]
        bars = axes.bar(x, [summary.mean for _, summary in points], 0.94 * width, yerr=errors, capsize=2, label=label)
        axes.bar_label(bars, fmt="%.4g", padding=1, fontsize=7)
    axes.set_xticks(range(len(axis_values)), axis_values)


def draw_run_curves(table: SweepTable, path: Path) -> None:
    """Draw the dev figure by training step: a line for each row, the mean over the steps that its runs share."""
    measure = next(row.measure for row in table.rows if row.measure)
    with canvas(path, 6.4, 4.0) as figure:
        axes = figure.subplots()
        for row in table.rows:
            steps, values_RC = shared_curves(row.runs.values(), f"dev/{row.measure}")
            if row.measure == measure and steps:
                label, bounds = table.description(row), BOUNDS.get(measure, UNBOUNDED)
                draw_mean(axes, steps, values_RC, label=label, bounds=bounds)
        column = measure_column("dev", measure)
        axes.set_xlabel("step")
        axes.set_ylabel(axis_label(column))
        if table.axes:
            legend_below(figure)
