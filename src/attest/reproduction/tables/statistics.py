"""What several runs say together, and whether a paper's figure could be one of them."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

Finding = Literal["within", "above", "below", "undecided"]
CONFIDENCE = 0.95
QUANTILE = (1 + CONFIDENCE) / 2
"""Of Student's and of the normal distribution; half of what an interval leaves out lies beyond it."""


@dataclass(frozen=True)
class Summary:
    """Replicates of one figure."""

    values: tuple[float, ...]

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def sd(self) -> float | None:
        """Of a single run, estimated from n - 1 degrees of freedom."""
        return float(np.std(self.values, ddof=1)) if self.n > 1 else None


def prediction_interval(summary: Summary, runs: int = 1) -> tuple[float, float] | None:
    """Where the mean of so many more runs of our procedure would fall: mean +- t s sqrt(1/runs + 1/n). None where n
    is 1.

    A prediction interval, since a paper's figure is a run or a mean of some, and not the truth: a one-sample t-test
    would take it for exact, and reject everything as n grows.
    """
    if summary.sd is None:
        return None
    half = float(special.stdtrit(summary.n - 1, QUANTILE)) * summary.sd * math.sqrt(1 / runs + 1 / summary.n)
    return summary.mean - half, summary.mean + half


def difference_interval(differences: Summary, folds: int | None = None) -> tuple[float, float] | None:
    """Where the true mean of paired differences lies: mean +- t s / sqrt(n). None where n is 1.

    Of cross-validation with so many `folds`: mean +- t s sqrt(1/n + 1/(folds - 1)), since any two folds share most of
    what they train on (Nadeau and Bengio 2003, with test and training set as 1 to folds - 1).
    """
    if differences.sd is None:
        return None
    half = float(half_width(differences.sd, np.array(differences.n)))
    if folds is not None:
        half *= math.sqrt(1 + differences.n / (folds - 1))
    return differences.mean - half, differences.mean + half


def half_width(sd: float, n: np.ndarray) -> np.ndarray:
    """Half the interval of a mean of n values: t s / sqrt(n)."""
    return special.stdtrit(n - 1, QUANTILE) * sd / np.sqrt(n)


def pairs_to_significance(differences: Summary, most: int = 1000) -> int | None:
    """How many pairs would tell a difference of this size from none, were mean and spread to stay as they are. None
    where it takes more than `most`, or where one pair has no spread yet."""
    if differences.sd is None:
        return None
    n = np.arange(max(2, differences.n), most + 1)
    enough = np.flatnonzero(half_width(differences.sd, n) < abs(differences.mean))
    return int(n[enough[0]]) if len(enough) else None


def normal_interval(mean: float, error: float) -> tuple[float, float]:
    """Where the true mean lies whose estimate has this standard error, known from many items."""
    half = float(special.ndtri(QUANTILE)) * error
    return mean - half, mean + half


def finding(summary: Summary, printed: float, margin: float, runs: int = 1) -> Finding:
    """Our figure against the paper's, the mean of so many `runs`. within: our mean is the same up to the margin. above,
    below: ours is, beyond chance.

    The margin stands in the table's specification before anything is run. Everything else is undecided.
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
