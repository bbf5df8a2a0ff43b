"""The charts of accuracy by the length of sentences and by epoch.

Legend: C columns.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.ticker import MaxNLocator

from attest.reproduction.figures.accuracy_curves import AccuracyCurves, Curve, bin_labels
from attest.reproduction.figures.legends import legend_below
from attest.reproduction.figures.majority_baseline import draw_majority
from attest.reproduction.figures.mean_lines import draw_mean
from attest.reproduction.figures.style import WIDE, WIDTH, canvas, colours_of
from attest.reproduction.plurals import pluralize
from attest.reproduction.specs.figure import FigureSpec

OTHERS = "0.6"
"""The grey of rows that a figure does not emphasise."""


def draw_length_curves(spec: FigureSpec, content: AccuracyCurves, path: Path) -> None:
    """Draw the accuracy by length above, and the numbers of examples below."""
    curves, bins = [curve for curve in content.curves if curve.runs], range(len(spec.bins))
    with canvas(path, WIDE, 4.4, title=spec.title, text=spec.alt) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
        draw_accuracy_curves(upper, spec, [(curve, bins) for curve in curves])
        if content.majority is not None and content.shows_majority:
            draw_majority(upper, content.majority)
        upper.set_ylabel("test accuracy, %")
        legend_below(figure)
        lower.bar(bins, curves[0].counts_or_epochs_C, color="lightgrey")
        lower.set_ylabel("examples")
        lower.yaxis.set_major_formatter("{x:,.0f}")
        lower.set_xlabel("words of a sentence" + (", mean of a pair" if spec.length == "mean" else ""))
        lower.set_xticks(bins, bin_labels(spec.bins, spec.length), fontsize=8)


def draw_epoch_curves(spec: FigureSpec, content: AccuracyCurves, path: Path) -> None:
    """Draw the accuracy by epoch."""
    with canvas(path, WIDTH, 3.8, title=spec.title, text=spec.alt) as figure:
        axes = figure.subplots()
        curves = [curve for curve in content.curves if curve.runs]
        draw_accuracy_curves(axes, spec, [(curve, curve.counts_or_epochs_C) for curve in curves])
        if content.majority is not None and content.shows_majority:
            draw_majority(axes, content.majority)
        axes.set_ylabel("test accuracy, %")
        legend_below(figure)
        axes.set_xlabel("epoch")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def draw_accuracy_curves(
    axes: Any, spec: FigureSpec, curves: Sequence[tuple[Curve, Sequence[float] | np.ndarray]]
) -> None:
    """Draw the mean over runs of each curve at its places, with the standard deviation if there is more than one run.

    Rows without emphasis are grey lines alone.
    """
    colours = curve_colours(spec, [curve.row for curve, _ in curves])
    for curve, x_C in curves:
        label = f"{curve.title} ({pluralize(len(curve.runs), 'run')})"
        if spec.emphasis and curve.row not in spec.emphasis:
            means = curve.accuracy_RC.mean(0, keepdims=True)  # without runs of their own there is no band
            draw_mean(axes, x_C, means, label=label, color=OTHERS, linewidth=1, markersize=3.5)
        else:
            draw_mean(axes, x_C, curve.accuracy_RC, label=label, color=colours[curve.row])


def curve_colours(spec: FigureSpec, rows: Sequence[str]) -> dict[str, Any]:
    """Return the colour of each row: its own, or, if the rows are steps of one quantity, from light to dark."""
    if not spec.ordered:
        return dict(colours_of(rows))
    scale = matplotlib.colormaps["viridis_r"]
    return {row: scale(0.15 + 0.85 * place / max(1, len(rows) - 1)) for place, row in enumerate(rows)}
