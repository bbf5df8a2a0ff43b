"""The ratio of two variants of a benchmark, with an interval."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000
"""The number of bootstrap samples."""
FEWEST = 6
"""The number of rounds from which on an interval is given: a bootstrap of fewer would only return their range, which
covers the median less often than in 95% of all cases."""


def median_interval(values: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """Return the 95% bootstrap interval of the median of some values, or the range of fewer than `FEWEST`."""
    if len(values) < FEWEST:
        return float(min(values)), float(max(values))
    drawn = np.median(np.random.default_rng(0).choice(values, (RESAMPLES, len(values))), axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def describe_interval(counts: Collection[int]) -> str:
    """Return what `median_interval` gives for these numbers of rounds, such as "95% interval of 15 rounds" or "range of
    3 rounds"."""
    low, high = min(counts), max(counts)
    rounds = f"{high} round{'s' * (high != 1)}" if low == high else f"{low} to {high} rounds"
    return f"{'range' if high < FEWEST else '95% interval'} of {rounds}"


@dataclass(frozen=True)
class Ratio:
    """A median ratio of two variants, with its interval (see `median_interval`)."""

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
