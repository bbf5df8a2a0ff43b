"""The picture of the accuracy by the size of the training set."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from attest.reproduction.figures.mean_lines import draw_band
from attest.reproduction.figures.size_curves import Continuation, SizeCurves
from attest.reproduction.figures.style import canvas
from attest.reproduction.plurals import counted_range

POINTS = 50
"""The number of points of a continued curve, which is bent on a logarithmic axis."""
APART = 0.06
"""The distance between the bars of two continued curves, as a share of their size."""


def draw_size_curves(content: SizeCurves, path: Path) -> None:
    """Draw the accuracy by training size on a logarithmic axis, its continuation, and the accuracy of guessing."""
    with canvas(path, 6.4, 4.0) as figure:
        axes = figure.subplots()
        for row in content.rows:
            sds = [math.nan if summary.sd is None else summary.sd for summary in row.summaries.values()]
            means = [summary.mean for summary in row.summaries.values()]
            runs = counted_range([summary.n for summary in row.summaries.values()], "run")
            draw_band(axes, list(row.summaries), np.array(means), np.array(sds), label=f"{row.title} ({runs})")
        marks = sorted({size for row in content.rows for size in row.sizes})
        colours = [line.get_color() for line in axes.get_lines()]
        draw_continuations(axes, [(colour, row.continuation) for colour, row in zip(colours, content.rows, strict=True)
                                  if row.continuation])  # fmt: skip
        if content.guess is not None and content.shows_guess:
            label = f"always the most frequent label ({content.guess:.1f}%)"
            axes.axhline(content.guess, color="0.3", linestyle=":", label=label)
        axes.set_xscale("log")
        axes.set_xticks(marks, [f"{size:,}" for size in marks])
        axes.minorticks_off()
        axes.set_xlabel("training pairs")
        axes.set_ylabel(content.measure)
        axes.legend(frameon=False, fontsize=8)


def draw_continuations(axes: Any, continuations: Sequence[tuple[Any, Continuation]]) -> None:
    """Draw each continued curve as a dashed line in its colour, with its 95% prediction interval as a bar at the
    end."""
    for number, (colour, continuation) in enumerate(continuations):
        sizes = np.geomspace(continuation.ours, continuation.paper, POINTS)
        label = "" if number else "power law to the paper's pairs, 95% interval"
        axes.plot(sizes, [continuation.law.accuracy(size) for size in sizes], color=colour, linestyle="--", label=label)
        low, high = continuation.law.interval(continuation.paper)
        place = continuation.paper * (1 + APART * (number - (len(continuations) - 1) / 2))
        axes.vlines(place, low, high, color=colour, linewidth=1.2)
