"""Lines of means over runs, each with a band of one standard deviation around it.

Legend: R runs, C columns.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

PERCENTS = (0.0, 100.0)
"""The lowest and the highest value of an accuracy in percent."""
UNBOUNDED = (-np.inf, np.inf)
MARKERS = "os^vDPX<>"
"""The markers of the lines of a picture, in their order, so that lines differ in more than their colours. There is no
star among them: it stands for a paper's figures."""
LINES = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)), (0, (7, 3)))
"""The styles of the lines of a picture, in their order."""


def draw_mean(
    axes: Any,
    x_C: Sequence[float] | np.ndarray,
    values_RC: np.ndarray,
    *,
    label: str = "",
    bounds: tuple[float, float] = PERCENTS,
    **style: Any,
) -> None:
    """Draw the mean over runs as a line, with a band of one standard deviation if there is more than one run."""
    sd_C = values_RC.std(0, ddof=1) if len(values_RC) > 1 else np.full(values_RC.shape[1], np.nan)
    draw_band(axes, x_C, values_RC.mean(0), sd_C, label=label, bounds=bounds, **style)


def draw_band(
    axes: Any,
    x_C: Sequence[float] | np.ndarray,
    mean_C: np.ndarray,
    sd_C: np.ndarray,
    *,
    label: str = "",
    bounds: tuple[float, float] = PERCENTS,
    **style: Any,
) -> None:
    """Draw the means as a line, and around them, within `bounds`, a band of one standard deviation where it is known.

    It is a bar where it is known at one point alone, beside which a band has no width.
    """
    place = len(axes.lines)
    own = {"marker": MARKERS[place % len(MARKERS)], "markersize": 5, "linestyle": LINES[place % len(LINES)]}
    (drawn,) = axes.plot(x_C, mean_C, label=label, **{**own, **style})
    known_C = ~np.isnan(sd_C)
    if known_C.any():
        low_C, high_C = (mean_C - sd_C).clip(bounds[0]), (mean_C + sd_C).clip(max=bounds[1])
        axes.fill_between(x_C, low_C, high_C, color=drawn.get_color(), alpha=0.15, linewidth=0)
        beside_C = np.pad(known_C, 1)
        alone_C = known_C & ~beside_C[:-2] & ~beside_C[2:]
        if alone_C.any():
            axes.vlines(np.asarray(x_C)[alone_C], low_C[alone_C], high_C[alone_C], color=drawn.get_color())
