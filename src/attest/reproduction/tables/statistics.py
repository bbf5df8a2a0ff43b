"""Statistics over runs: means, intervals, and findings about a paper's figure."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

Finding = Literal["within", "above", "below", "undecided"]
CONFIDENCE = 0.95
QUANTILE = (1 + CONFIDENCE) / 2
"""The quantile, of Student's and of the normal distribution, beyond which half of what an interval leaves out lies."""


@dataclass(frozen=True)
class Summary:
    """The values that replicates have for one figure."""

    values: tuple[float, ...]

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def sd(self) -> float | None:
        """The standard deviation of a single run, estimated from n - 1 degrees of freedom; None if n is 1."""
        return float(np.std(self.values, ddof=1)) if self.n > 1 else None


def prediction_interval(summary: Summary, runs: int = 1) -> tuple[float, float] | None:
    """Return the 95% interval for the mean of `runs` further runs: mean +- t s sqrt(1/runs + 1/n); None if n is 1.

    It is a prediction interval, because a paper's figure is one run or a mean of some, and not the truth: a one-sample
    t-test would take it for exact, and reject everything as n grows.
    """
    if summary.sd is None:
        return None
    half = float(special.stdtrit(summary.n - 1, QUANTILE)) * summary.sd * math.sqrt(1 / runs + 1 / summary.n)
    return summary.mean - half, summary.mean + half


def difference_interval(differences: Summary, folds: int | None = None) -> tuple[float, float] | None:
    """Return the 95% interval of the true mean of paired differences: mean +- t s / sqrt(n); None if n is 1.

    For cross-validation with `folds` folds it is mean +- t s sqrt(1/n + 1/(folds - 1)), because any two folds share
    most of their training data (Nadeau and Bengio 2003, with test and training set as 1 to folds - 1).
    """
    if differences.sd is None:
        return None
    half = float(half_width(differences.sd, np.array(differences.n)))
    if folds is not None:
        half *= math.sqrt(1 + differences.n / (folds - 1))
    return differences.mean - half, differences.mean + half


def half_width(sd: float, n: np.ndarray) -> np.ndarray:
    """Return half the width of the 95% interval of a mean of n values: t s / sqrt(n)."""
    return special.stdtrit(n - 1, QUANTILE) * sd / np.sqrt(n)


def pairs_to_significance(differences: Summary, most: int = 1000) -> int | None:
    """Return how many pairs would make a difference of this mean and spread significant.

    None if it would take over `most`, or if there is only one pair, which has no spread.
    """
    if differences.sd is None:
        return None
    n = np.arange(max(2, differences.n), most + 1)
    enough = np.flatnonzero(half_width(differences.sd, n) < abs(differences.mean))
    return int(n[enough[0]]) if len(enough) else None


def normal_interval(mean: float, error: float) -> tuple[float, float]:
    """Return the 95% interval of a mean with this standard error, by the normal distribution: for means over many
    items."""
    half = float(special.ndtri(QUANTILE)) * error
    return mean - half, mean + half


def finding(summary: Summary, printed: float, margin: float, runs: int = 1) -> Finding:
    """Return our figure's relation to the paper's, which is taken for a mean of `runs` runs.

    within: our mean differs from it by `margin` at most. above, below: our mean lies on that side, and the paper's
    figure is outside our prediction interval. undecided: neither is the case, or there is only one run. The margin
    stands in the table's specification before anything is run.
    """
    bounds = prediction_interval(summary, runs)
    if bounds is None:
        return "undecided"
    low, high = bounds
    if abs(summary.mean - printed) <= margin:
        return "within"
    if low <= printed <= high:
        return "undecided"
    return "above" if summary.mean > printed else "below"
