"""The ratio of two variants of a benchmark, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000
"""The number of bootstrap samples."""


def median_interval(values: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """Return the 95% bootstrap interval of the median of some values."""
    drawn = np.median(np.random.default_rng(0).choice(values, (RESAMPLES, len(values))), axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


@dataclass(frozen=True)
class Ratio:
    """A median ratio of two variants, with its 95% bootstrap interval."""

    median: float
    low: float
    high: float

    @classmethod
    def from_times(cls, base: Sequence[float], other: Sequence[float]) -> "Ratio":
        """Return the ratio of the times `base` to the times `other`.

        It is the median of the ratios of each round if both have equally many rounds, else the ratio of the medians.
        """
        if len(base) == len(other):
            ratios = np.array(base) / np.array(other)
            return cls(float(np.median(ratios)), *median_interval(ratios))
        rng = np.random.default_rng(0)
        tops, bottoms = (np.median(rng.choice(x, (RESAMPLES, len(x))), axis=1) for x in (base, other))
        return cls(float(np.median(base) / np.median(other)), *map(float, np.quantile(tops / bottoms, [0.025, 0.975])))
