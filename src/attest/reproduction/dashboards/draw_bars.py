"""The bars of a dashboard, drawn from runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from attest.config.overrides import is_number
from attest.reproduction.dashboards.drawn_runs import Run, Styles, dot
from attest.reproduction.specs.metric_names import COST
from attest.reproduction.tables.timed_runs import runs_with_times
from attest.runs.dashboards import Axis, Bars

HATCH = "////"
"""The hatching of the bars of groups whose lines are not solid."""


def draw_bars(axes: Any, panel: Bars, runs: Sequence[Run], styles: Styles) -> None:
    """Draw the first figure of each group, with its standard deviation, as a bar, and the others as black marks.

    The scale begins near the lowest figure. Where that is not 0, the length of a bar would mean nothing, and the first
    figure is a dot.
    """
    ours, *others = panel.figures
    values = {group: [values_of(runs, group, figure) for figure in panel.figures] for group in styles}
    means = [float(np.mean(numbers)) for own in values.values() for numbers in own if numbers]
    begin = scale_begin(means) if means else 0.0
    for place, (group, (first, *rest)) in enumerate(values.items()):
        if first:
            spread = float(np.std(first, ddof=1)) if len(first) > 1 else 0.0
            if begin == 0:
                hatch = None if styles[group]["linestyle"] == "-" else HATCH
                style = {"facecolor": styles[group]["color"], "edgecolor": "white", "hatch": hatch, "linewidth": 0}
                axes.barh(place, np.mean(first), 0.8, xerr=spread, **style)
            else:
                axes.errorbar(np.mean(first), place, xerr=spread, **dot(styles[group]))
        for numbers in rest:
            if numbers:
                axes.plot(np.mean(numbers), place, "|", color="black", markersize=6, markeredgewidth=1.5)
    if means:
        axes.set_xlim(left=begin)
    axes.xaxis.set_major_formatter("{x:,.6g}")
    axes.set_ylim(len(styles) - 0.4, -0.6)
    axes.set_yticks([])
    names = [ours.title, *(f"black mark: {figure.title}" for figure in others)] if others else []
    note = ["of runs on a CPU, if any"] if ours.key.startswith(COST) else []
    axes.set_xlabel(" / ".join([*names, *note]))


def values_of(runs: Sequence[Run], group: str, figure: Axis) -> list[float]:
    """Return the figures of the runs of a group; times are those of its runs on a CPU, if it has any.

    The page of a table averages the same runs.
    """
    own = [run for run in runs if run.group == group]
    if figure.key.startswith(COST):
        timed = runs_with_times([run.record for run in own])
        own = [run for run in own if run.record in timed]
    return [float(run.value(figure)) for run in own if is_number(run.value(figure))]


def scale_begin(values: Sequence[float]) -> float:
    """Return the left end of the scale of bars: a bit below the lowest, but not below 0 if no bar is."""
    low, high = min(values), max(values)
    begin = low - 0.3 * (high - low) - (1 if max(abs(low), abs(high)) > 1 else 0.01)  # percents, or correlations
    return max(0.0, begin) if low >= 0 else begin
