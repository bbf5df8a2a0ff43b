"""The panels of a dashboard, drawn from runs."""

import math
from collections.abc import Sequence
from typing import Any

from attest.config.overrides import is_number
from attest.reproduction.dashboards.draw_bars import draw_bars
from attest.reproduction.dashboards.drawn_runs import Run, Styles, dot
from attest.reproduction.figures.mean_lines import UNBOUNDED, draw_mean
from attest.reproduction.figures.shared_curves import shared_curves
from attest.reproduction.tables.varied import short_value
from attest.runs.dashboards import Axis, Bars, Coordinates, Curves, Panel, Scatter

MAX_LABELS = 8
"""The largest number of values of an axis that are all labelled; of more, the lowest and the highest are."""


def draw_panel(axes: Any, panel: Panel, runs: Sequence[Run], styles: Styles) -> None:
    """Draw the content of a panel."""
    match panel:
        case Curves():
            draw_curves(axes, panel, runs, styles)
        case Bars():
            draw_bars(axes, panel, runs, styles)
        case Coordinates():
            draw_coordinates(axes, panel, runs, styles)
        case Scatter():
            for run in runs:
                x, y = run.value(panel.x), run.value(panel.y)
                if is_number(x) and is_number(y):
                    axes.plot(x, y, **dot(styles[run.group]))
            axes.set_xscale("log" if panel.x.log else "linear")
            axes.set_xlabel(panel.x.title)
            axes.set_ylabel(panel.y.title)


def draw_curves(axes: Any, panel: Curves, runs: Sequence[Run], styles: Styles) -> None:
    """Draw the mean curve of each group over the steps that its runs share, with a band of one standard deviation."""
    for group, style in styles.items():
        steps, values_RC = shared_curves((run.record for run in runs if run.group == group), panel.metric)
        if steps:
            draw_mean(axes, steps, values_RC, bounds=UNBOUNDED, marker="", **style)
    axes.set_xlabel("step")
    axes.xaxis.set_major_formatter("{x:,.0f}")


def draw_coordinates(axes: Any, panel: Coordinates, runs: Sequence[Run], styles: Styles) -> None:
    """Draw a line for each run through its place on each axis, and the values at the ends of each axis."""
    lines: list[list[tuple[int, float]]] = [[] for _ in runs]
    for x, axis in enumerate(panel.axes):
        heights = axis_heights(axis, [run.value(axis) for run in runs])
        for line, run in zip(lines, runs, strict=True):
            if str(run.value(axis)) in heights:
                line.append((x, heights[str(run.value(axis))]))
        axes.axvline(x, color="0.6", linewidth=0.6)
        for value, height in heights.items():
            if len(heights) <= MAX_LABELS or height in (0, 1):
                axes.text(x, height, f" {value_label(axis, value)}", fontsize=5.5, va="center", clip_on=True)
    for line, run in zip(lines, runs, strict=True):
        axes.plot([x for x, _ in line], [y for _, y in line], alpha=0.7, **styles[run.group])
    axes.set_xticks(range(len(panel.axes)), [axis.title for axis in panel.axes], rotation=20, ha="right")
    axes.set_yticks([])
    axes.grid(visible=False)


def value_label(axis: Axis, value: str) -> str:
    """Return the text of a value on an axis: numbers in four digits, classes without their package."""
    try:
        return f"{float(value):.4g}"
    except ValueError:
        return str(short_value(axis.key, value))


def axis_heights(axis: Axis, values: Sequence[Any]) -> dict[str, float]:
    """Return the height between 0 and 1 of each value by its text: by size if all are numbers, else in order."""
    known = [value for value in values if value is not None]
    if known and all(map(is_number, known)):
        in_logs = axis.log and min(known) > 0
        scale = [math.log(value) if in_logs else float(value) for value in known]
        low, span = min(scale), max(scale) - min(scale)
        return {str(value): (place - low) / span if span else 0.5 for value, place in zip(known, scale, strict=True)}
    texts = sorted(set(map(str, known)))
    return {text: place / max(len(texts) - 1, 1) for place, text in enumerate(texts)}
