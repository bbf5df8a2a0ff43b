"""The ratio of two variants of a benchmark, with an interval."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


def name_interval(rounds: Collection[int]) -> str:
    """Return "range" or "95% interval": what `median_interval` returns for these numbers of rounds."""
    return "range" if max(rounds) < FEWEST else "95% interval"


def numbers_of_rounds(rows: Iterable[Mapping[str, Any]]) -> list[int]:
    """Return the number of rounds of each row of a benchmark's record that has several, or one round if none has."""
    return [count for row in rows if (count := len(row["values"])) > 1] or [1]


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
