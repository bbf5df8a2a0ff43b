"""Statistics over runs: means, intervals, findings about a paper's figure, and p-values.

Legend: R rows of replicates, N replicates of a row, C comparisons of a table.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import special

from attest.reproduction.tables.finding import FindingWord

CONFIDENCE = 0.95
LEVEL = 1 - CONFIDENCE
"""The significance level: the largest share of tables of equal rows in which any difference may be called
significant."""
QUANTILE = (1 + CONFIDENCE) / 2
"""The quantile of a distribution that bounds a 95% interval above: 0.975."""
POWER = 0.8
"""The share of cases in which the number of pairs that a page names as needed makes a difference significant."""
MAX_PAIRS = 50
"""The largest number of pairs in all that a page names as needed: the spread of a few pairs says little about more."""
NO_SPREAD = 2e-5
"""The largest standard deviation that rounding to fp32 gives figures up to 100 which are equal. Accuracies move in
steps of one test item, so two of them are often equal by chance, which says nothing about the spread of further runs:
no interval and no test can be made of them."""


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


def share_of_variance(n: float | np.ndarray, overlap: float = 0.0) -> float | np.ndarray:
    """Return the variance of a mean of n replicates, as a share of the variance between them: 1/n + overlap.

    `overlap` is 0 for runs on one split of the data. For folds and random splits, which share most of their training
    data, it is the size of a test set by that of training and dev set together (Nadeau and Bengio 2003).
    """
    return 1 / n + overlap


def mean_interval(summary: Summary, overlap: float = 0.0) -> tuple[float, float] | None:
    """Return the 95% interval of the true mean: mean +- t s sqrt(1/n + overlap); None if n is 1 or all are equal."""
    if summary.sd is None or summary.sd <= NO_SPREAD:
        return None
    half = float(mean_half_width(summary.sd, summary.n, overlap))
    return summary.mean - half, summary.mean + half


def prediction_half_width(sd: np.ndarray, n: int, runs: int = 1, overlap: float = 0.0) -> np.ndarray:
    """Return half the width of the 95% interval for the mean of `runs` further runs: t s sqrt(1/runs + 1/n).

    Where replicates share data, each of the two terms grows by `overlap`. It is a prediction interval, because a
    paper's figure is one run or a mean of some, and not the truth: a one-sample t-test would take it for exact, and
    reject everything as n grows.
    """
    shares = share_of_variance(runs, overlap) + share_of_variance(n, overlap)
    return special.stdtrit(n - 1, QUANTILE) * sd * np.sqrt(shares)


def mean_half_width(sd: float | np.ndarray, n: int, overlap: float = 0.0) -> np.ndarray:
    """Return half the width of the 95% interval of a mean: t s sqrt(1/n + overlap)."""
    return special.stdtrit(n - 1, QUANTILE) * sd * np.sqrt(share_of_variance(n, overlap))


def findings(
    values_RN: np.ndarray, printed_R: np.ndarray, margin: float, runs: int = 1, overlap: float = 0.0
) -> np.ndarray:
    """Return the finding of each row of replicates about a paper's figure, which is a mean of `runs` runs.

    within: the 95% interval of our mean lies inside `margin` around the figure, a test of equivalence. above, below:
    our mean differs by more than `margin`, and the figure is outside our 95% prediction interval. undecided: neither,
    or all replicates are equal.
    """
    n = values_RN.shape[1]
    away_R = values_RN.mean(axis=1) - printed_R
    sd_R = values_RN.std(axis=1, ddof=1)
    within_R = abs(away_R) + mean_half_width(sd_R, n, overlap) <= margin
    apart_R = (abs(away_R) > margin) & (abs(away_R) > prediction_half_width(sd_R, n, runs, overlap))
    cases = [sd_R <= NO_SPREAD, within_R, apart_R & (away_R > 0), apart_R]
    return np.select(cases, ["undecided", "within", "above", "below"], "undecided")


def finding(summary: Summary, printed: float, margin: float, runs: int = 1, overlap: float = 0.0) -> FindingWord:
    """Return our figure's relation to the paper's, as `findings` defines it; undecided if there is only one run.

    The margin stands in the table's specification before anything is run.
    """
    if summary.n == 1:
        return "undecided"
    (word,) = findings(np.array([summary.values]), np.array([printed]), margin, runs, overlap)
    return cast("FindingWord", str(word))


def p_values(differences_RN: np.ndarray, overlap: float = 0.0) -> np.ndarray:
    """Return p (R,) of each row of paired differences, by a two-sided t-test of a mean of 0; 1 if all are equal."""
    n, sd_R = differences_RN.shape[1], differences_RN.std(axis=1, ddof=1)
    spread_R = sd_R > NO_SPREAD
    error_R = np.where(spread_R, sd_R, 1.0) * np.sqrt(share_of_variance(n, overlap))
    return np.where(spread_R, 2 * special.stdtr(n - 1, -np.abs(differences_RN.mean(axis=1)) / error_R), 1.0)


def adjusted_p_values(p_RC: np.ndarray) -> np.ndarray:
    """Return p (R, C) corrected for the number of comparisons in each row, by Holm's method (1979).

    Calling those below 5% calls a difference that is chance in at most 5% of the tables, however many are compared.
    """
    order_RC = np.argsort(p_RC, axis=1)
    factors_C = np.arange(p_RC.shape[1], 0, -1)
    ordered_RC = np.maximum.accumulate(np.take_along_axis(p_RC, order_RC, axis=1) * factors_C, axis=1)
    adjusted_RC = np.empty_like(ordered_RC)
    np.put_along_axis(adjusted_RC, order_RC, np.minimum(ordered_RC, 1.0), axis=1)
    return adjusted_RC


def pairs_to_significance(
    differences: Summary, overlap: float = 0.0, level: float = LEVEL, most: int = MAX_PAIRS
) -> int | None:
    """Return how many pairs make a true difference of this mean and spread significant at a level in 80% of cases.

    None if it would take over `most`, or if there is no spread: only one pair, or equal differences.
    """
    if differences.sd is None or differences.sd <= NO_SPREAD:
        return None
    n = np.arange(max(2, differences.n), most + 1)
    centre_N = abs(differences.mean) / (differences.sd * np.sqrt(share_of_variance(n, overlap)))
    power_N = 1 - special.nctdtr(n - 1, centre_N, special.stdtrit(n - 1, 1 - level / 2))
    enough = np.flatnonzero(power_N >= POWER)
    return int(n[enough[0]]) if len(enough) else None


def normal_interval(mean: float, error: float) -> tuple[float, float]:
    """Return the 95% interval of a mean with this standard error, by the normal distribution: for means over many
    items."""
    half = float(special.ndtri(QUANTILE)) * error
    return mean - half, mean + half
