"""The ratio of two variants of a benchmark, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000
"""The number of bootstrap samples."""


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
        rng = np.random.default_rng(0)
        if len(base) == len(other):
            ratios = np.array(base) / np.array(other)
            drawn = np.median(rng.choice(ratios, (RESAMPLES, len(ratios))), axis=1)
            return cls(float(np.median(ratios)), *map(float, np.quantile(drawn, [0.025, 0.975])))
        tops, bottoms = (np.median(rng.choice(x, (RESAMPLES, len(x))), axis=1) for x in (base, other))
        return cls(float(np.median(base) / np.median(other)), *map(float, np.quantile(tops / bottoms, [0.025, 0.975])))
