"""Lines of means over runs, each with a band of one standard deviation around it.

Legend: R runs, C columns.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

PERCENTS = (0.0, 100.0)
"""The lowest and the highest value of an accuracy in percent."""
UNBOUNDED = (-np.inf, np.inf)
LINE: dict[str, Any] = {"marker": "o", "markersize": 3}
"""The style of a line, unless a caller says otherwise."""


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
    """Draw the means as a line, and around them, within `bounds`, a band of one standard deviation if it is known."""
    (drawn,) = axes.plot(x_C, mean_C, label=label, **{**LINE, **style})
    if not np.isnan(sd_C).all():
        low_C, high_C = (mean_C - sd_C).clip(bounds[0]), (mean_C + sd_C).clip(max=bounds[1])
        axes.fill_between(x_C, low_C, high_C, color=drawn.get_color(), alpha=0.15, linewidth=0)
