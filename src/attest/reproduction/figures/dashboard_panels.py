"""The panels of a dashboard, drawn from runs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attest.config.overrides import is_number
from attest.reproduction.figures.mean_lines import UNBOUNDED, draw_mean
from attest.reproduction.figures.shared_curves import shared_curves
from attest.reproduction.tables.varied import short_value
from attest.runs.dashboards import Axis, Bars, Coordinates, Curves, Panel, Scatter
from attest.runs.records import Record

MOST_LABELS = 8
"""The largest number of values of an axis that are all labelled; of more, the lowest and the highest are."""


@dataclass(frozen=True)
class Run:
    """A run as a dashboard shows it."""

    group: str
    record: Record
    config: Mapping[str, Any]
    figures: Mapping[str, Any]

    def value(self, axis: Axis) -> Any:
        """Return the value of a setting or figure; None if the run has none."""
        return config_value(self.config, axis.key) if axis.setting else self.figures.get(axis.key)


def config_value(config: Mapping[str, Any], key: str) -> Any:
    """Return the value behind a dotted key of nested settings; None if there is none."""
    value: Any = config
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def draw_panel(axes: Any, panel: Panel, runs: Sequence[Run], colours: Mapping[str, str]) -> None:
    """Draw the content of a panel."""
    match panel:
        case Curves():
            draw_curves(axes, panel, runs, colours)
        case Bars():
            draw_bars(axes, panel, runs, colours)
        case Coordinates():
            draw_coordinates(axes, panel, runs, colours)
        case Scatter():
            for run in runs:
                x, y = run.value(panel.x), run.value(panel.y)
                if is_number(x) and is_number(y):
                    axes.plot(x, y, "o", color=colours[run.group], markersize=4)
            axes.set_xscale("log" if panel.x.log else "linear")
            axes.set_xlabel(panel.x.title)
            axes.set_ylabel(panel.y.title)


def draw_curves(axes: Any, panel: Curves, runs: Sequence[Run], colours: Mapping[str, str]) -> None:
    """Draw the mean curve of each group over the steps that its runs share, with a band of one standard deviation."""
    for group, colour in colours.items():
        steps, values_RC = shared_curves((run.record for run in runs if run.group == group), panel.metric)
        if steps:
            draw_mean(axes, steps, values_RC, bounds=UNBOUNDED, color=colour, marker="")
    axes.set_xlabel("step")


def draw_bars(axes: Any, panel: Bars, runs: Sequence[Run], colours: Mapping[str, str]) -> None:
    """Draw a bar for each figure of each group, the later figures paler; the scale begins near the lowest bar."""
    lowest = []
    height = 0.8 / len(panel.figures)
    for place, group in enumerate(colours):
        for turn, figure in enumerate(panel.figures):
            values = [float(run.value(figure)) for run in runs if run.group == group and is_number(run.value(figure))]
            if values:
                spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
                y = place + turn * height
                axes.barh(y, np.mean(values), 0.92 * height, xerr=spread, color=colours[group], alpha=1 - 0.6 * turn)
                lowest.append(float(np.mean(values)))
    if lowest:
        axes.set_xlim(left=scale_begin(lowest))
    axes.set_yticks([])
    axes.invert_yaxis()
    if len(panel.figures) > 1:
        axes.set_xlabel(
            " / ".join([panel.figures[0].title, *(f"paler: {figure.title}" for figure in panel.figures[1:])])
        )


def scale_begin(values: Sequence[float]) -> float:
    """Return the left end of the scale of bars: a bit below the lowest, but not below 0 if no bar is."""
    low, high = min(values), max(values)
    begin = low - 0.3 * (high - low) - (1 if max(abs(low), abs(high)) > 1 else 0.01)  # percents, or correlations
    return max(0.0, begin) if low >= 0 else begin


def draw_coordinates(axes: Any, panel: Coordinates, runs: Sequence[Run], colours: Mapping[str, str]) -> None:
    """Draw a line for each run through its place on each axis, and the values at the ends of each axis."""
    lines: list[list[tuple[int, float]]] = [[] for _ in runs]
    for x, axis in enumerate(panel.axes):
        heights = axis_heights(axis, [run.value(axis) for run in runs])
        for line, run in zip(lines, runs, strict=True):
            if str(run.value(axis)) in heights:
                line.append((x, heights[str(run.value(axis))]))
        axes.axvline(x, color="0.6", linewidth=0.6)
        for value, height in heights.items():
            if len(heights) <= MOST_LABELS or height in (0, 1):
                axes.text(x, height, f" {value_label(axis, value)}", fontsize=5.5, va="center", clip_on=True)
    for line, run in zip(lines, runs, strict=True):
        axes.plot([x for x, _ in line], [y for _, y in line], color=colours[run.group], alpha=0.7)
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
