"""The picture of the accuracy by the size of the training set."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from attest.reproduction.figures.legends import legend_below
from attest.reproduction.figures.majority_baseline import draw_majority
from attest.reproduction.figures.mean_lines import MARKERS
from attest.reproduction.figures.size_curves import Continuation, SizeCurve, SizeCurves
from attest.reproduction.figures.style import WIDTH, canvas, colours_of
from attest.reproduction.plurals import pluralize_range
from attest.reproduction.specs.figure import FigureSpec

POINTS = 50
"""The number of points of a continued curve, which is bent on a logarithmic axis."""
APART = 0.06
"""The distance between the bars of two continued curves, as a share of their size."""


def draw_size_curves(spec: FigureSpec, content: SizeCurves, path: Path) -> None:
    """Draw the accuracy by training size on a logarithmic axis, its continuation, and the majority baseline."""
    colours = colours_of([row.row for row in content.rows])
    with canvas(path, WIDTH, 4.2, title=spec.title, text=spec.alt) as figure:
        axes = figure.subplots()
        for place, row in enumerate(content.rows):
            draw_points(axes, row, colours[row.row], MARKERS[place])
        continued = [row for row in content.rows if row.continuation]
        draw_continuations(axes, [(colours[row.row], row.continuation, row.printed_accuracy) for row in continued
                                  if row.continuation])  # fmt: skip
        if content.majority is not None and content.shows_majority:
            draw_majority(axes, content.majority)
        marks = sorted({size for row in content.rows for size in row.sizes})
        axes.set_xscale("log")
        axes.set_xticks(marks, [f"{size:,}" for size in marks], fontsize=8)
        axes.minorticks_off()
        axes.set_xlabel("training pairs")
        axes.set_ylabel(content.measure)
        legend_below(figure)


def draw_points(axes: Any, row: SizeCurve, colour: str, marker: str) -> None:
    """Draw the means of one row with their standard deviations as bars; a point of a single run is hollow."""
    sizes, summaries = list(row.summaries), list(row.summaries.values())
    means = [summary.mean for summary in summaries]
    runs = pluralize_range([summary.n for summary in summaries], "run")
    axes.plot(sizes, means, color=colour, marker=marker, markersize=5, label=f"{row.title} ({runs})")
    lone = [(size, summary.mean) for size, summary in zip(sizes, summaries, strict=True) if summary.sd is None]
    if lone:
        axes.plot(*zip(*lone, strict=True), color=colour, marker=marker, markersize=5, linestyle="none",
                  markerfacecolor="white", zorder=3)  # fmt: skip
    known = [(size, summary.mean, summary.sd) for size, summary in zip(sizes, summaries, strict=True) if summary.sd]
    if known:
        places, centres, sds = zip(*known, strict=True)
        axes.errorbar(places, centres, yerr=sds, color=colour, linestyle="none", capsize=5, linewidth=1)


def draw_continuations(axes: Any, continuations: Sequence[tuple[Any, Continuation, float | None]]) -> None:
    """Draw each continued curve as a dashed line in its colour, with its 95% prediction interval as a bar at the
    end, and on the bar the accuracy that the paper prints, if any, as a star."""
    for number, (colour, continuation, printed) in enumerate(continuations):
        sizes = np.geomspace(continuation.our_size, continuation.paper_size, POINTS)
        label = "" if number else "power law to the paper's pairs, 95% interval"
        axes.plot(sizes, [continuation.law.accuracy(size) for size in sizes], color=colour, linestyle="--", label=label)
        low, high = continuation.law.interval(continuation.paper_size)
        place = continuation.paper_size * (1 + APART * (number - (len(continuations) - 1) / 2))
        axes.vlines(place, low, high, color=colour, linewidth=1.2)
        if printed is not None:
            axes.plot(place, printed, "*", color=colour, markeredgecolor="black", markersize=10,
                      label="" if number else "the paper's figure", zorder=4)  # fmt: skip
