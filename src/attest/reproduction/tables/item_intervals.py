"""Intervals of a metric of one run over the items of a test set: where it would lie on other items of their kind.

Legend: N items.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
from scipy import stats

from attest.reproduction.tables.item_errors import correlation_influence
from attest.reproduction.tables.statistics import CONFIDENCE, normal_interval
from attest.system.correlation import pearson

Interval = tuple[float, float]


def share_interval(gold_N: np.ndarray, predicted_N: np.ndarray) -> Interval:
    """Return the 95% interval of an accuracy in per cent, by Wilson's method (1927).

    It stays within 0 and 100, and has a width even if all items are right.
    """
    right = int(np.sum(gold_N == predicted_N))
    low, high = stats.binomtest(right, len(gold_N)).proportion_ci(CONFIDENCE, method="wilson")
    return 100 * float(low), 100 * float(high)


def squared_error_interval(gold_N: np.ndarray, predicted_N: np.ndarray) -> Interval | None:
    """Return the 95% interval of a mean squared error, which is not below 0; None for a single item."""
    squares_N = (gold_N - predicted_N) ** 2
    if len(squares_N) < 2:
        return None
    low, high = normal_interval(float(squares_N.mean()), float(squares_N.std(ddof=1)) / math.sqrt(len(squares_N)))
    return max(0.0, low), high


def correlation_interval(correlation: float, influence_N: np.ndarray) -> Interval | None:
    """Return the 95% interval of a correlation by the influence of each item on it; None if no item has any.

    It is made on Fisher's scale, artanh r, so that it stays within -1 and 1.
    """
    error = math.sqrt(float(influence_N @ influence_N)) / len(influence_N)
    if error < 1e-9 or abs(correlation) >= 1:
        return None
    low, high = normal_interval(math.atanh(correlation), error / (1 - correlation**2))
    return math.tanh(low), math.tanh(high)


def pearson_interval(gold_N: np.ndarray, predicted_N: np.ndarray) -> Interval | None:
    """Return the 95% interval of Pearson's r; None if r is 1 or -1, or if no item influences it."""
    return correlation_interval(pearson(gold_N, predicted_N), correlation_influence(gold_N, predicted_N))


def spearman_interval(gold_N: np.ndarray, predicted_N: np.ndarray) -> Interval | None:
    """Return the 95% interval of Spearman's rho; None if it is 1 or -1, or if no item influences it."""
    if not np.ptp(gold_N) or not np.ptp(predicted_N):
        return None
    x_N, y_N = (stats.rankdata(values_N) for values_N in (gold_N, predicted_N))
    return correlation_interval(pearson(x_N, y_N), rank_influence(x_N, y_N))


def rank_influence(x_N: np.ndarray, y_N: np.ndarray) -> np.ndarray:
    """Return the influence U (N,) of each item on the correlation of two arrays of ranks.

    An item moves the correlation by its own ranks, as it moves Pearson's r, and by the ranks of the items above it,
    which its presence raises.
    """
    n = len(x_N)
    x_N, y_N = (x_N - 0.5) / n - 0.5, (y_N - 0.5) / n - 0.5  # shares of items below, around 0
    product, x_square, y_square = float(x_N @ y_N) / n, float(x_N @ x_N) / n, float(y_N @ y_N) / n
    product_N = x_N * y_N + (sum_above(x_N, y_N) + sum_above(y_N, x_N)) / n - 3 * product
    x_square_N = x_N**2 + 2 * sum_above(x_N, x_N) / n - 3 * x_square
    y_square_N = y_N**2 + 2 * sum_above(y_N, y_N) / n - 3 * y_square
    r = product / math.sqrt(x_square * y_square)
    return product_N / math.sqrt(x_square * y_square) - r / 2 * (x_square_N / x_square + y_square_N / y_square)


def sum_above(keys_N: np.ndarray, values_N: np.ndarray) -> np.ndarray:
    """Return, for each item, the sum of the values of the items with a higher key.

    Items with an equal key count half.
    """
    order_N = np.argsort(keys_N, kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(values_N[order_N])])
    below_N, up_to_N = (np.searchsorted(keys_N[order_N], keys_N, side) for side in ("left", "right"))
    return sums[-1] - (sums[below_N] + sums[up_to_N]) / 2


INTERVALS: Mapping[str, Callable[[np.ndarray, np.ndarray], Interval | None]] = {
    "accuracy": share_interval,
    "pearson": pearson_interval,
    "spearman": spearman_interval,
    "mse": squared_error_interval,
}
"""The name of a metric -> the function of gold and predicted values that returns its interval."""
