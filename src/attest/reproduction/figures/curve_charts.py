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
from attest.reproduction.figures.guessing import draw_guess
from attest.reproduction.figures.legends import legend_below
from attest.reproduction.figures.mean_lines import draw_mean
from attest.reproduction.figures.style import WIDE, WIDTH, canvas, colours_of
from attest.reproduction.plurals import counted
from attest.reproduction.specs.figure import Picture

OTHERS = "0.6"
"""The grey of rows that a figure does not emphasise."""


def draw_length_curves(picture: Picture, content: AccuracyCurves, path: Path) -> None:
    """Draw the accuracy by length above, and the numbers of examples below."""
    curves, bins = [curve for curve in content.curves if curve.runs], range(len(picture.bins))
    with canvas(path, WIDE, 4.4, title=picture.title, text=picture.alt) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
        draw_curves(upper, picture, [(curve, bins) for curve in curves])
        if content.guess is not None and content.shows_guess:
            draw_guess(upper, content.guess)
        upper.set_ylabel("test accuracy, %")
        legend_below(figure)
        lower.bar(bins, curves[0].counts_or_epochs_C, color="lightgrey")
        lower.set_ylabel("examples")
        lower.yaxis.set_major_formatter("{x:,.0f}")
        lower.set_xlabel("words of a sentence" + (", mean of a pair" if picture.length == "mean" else ""))
        lower.set_xticks(bins, bin_labels(picture.bins, picture.length), fontsize=8)


def draw_epoch_curves(picture: Picture, content: AccuracyCurves, path: Path) -> None:
    """Draw the accuracy by epoch."""
    with canvas(path, WIDTH, 3.8, title=picture.title, text=picture.alt) as figure:
        axes = figure.subplots()
        curves = [curve for curve in content.curves if curve.runs]
        draw_curves(axes, picture, [(curve, curve.counts_or_epochs_C) for curve in curves])
        if content.guess is not None and content.shows_guess:
            draw_guess(axes, content.guess)
        axes.set_ylabel("test accuracy, %")
        legend_below(figure)
        axes.set_xlabel("epoch")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def draw_curves(axes: Any, picture: Picture, curves: Sequence[tuple[Curve, Sequence[float] | np.ndarray]]) -> None:
    """Draw the mean over runs of each curve at its places, with the standard deviation if there is more than one run.

    Rows without emphasis are grey lines alone.
    """
    colours = curve_colours(picture, [curve.row for curve, _ in curves])
    for curve, x_C in curves:
        label = f"{curve.title} ({counted(len(curve.runs), 'run')})"
        if picture.emphasis and curve.row not in picture.emphasis:
            means = curve.accuracy_RC.mean(0, keepdims=True)  # without runs of their own there is no band
            draw_mean(axes, x_C, means, label=label, color=OTHERS, linewidth=1, markersize=3.5)
        else:
            draw_mean(axes, x_C, curve.accuracy_RC, label=label, color=colours[curve.row])


def curve_colours(picture: Picture, rows: Sequence[str]) -> dict[str, Any]:
    """Return the colour of each row: its own, or, if the rows are steps of one quantity, from light to dark."""
    if not picture.ordered:
        return dict(colours_of(rows))
    scale = matplotlib.colormaps["viridis_r"]
    return {row: scale(0.15 + 0.85 * place / max(1, len(rows) - 1)) for place, row in enumerate(rows)}
