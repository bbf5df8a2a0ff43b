"""Intervals over items: by hand, and beside a jackknife that leaves out each item in turn."""

import numpy as np
import pytest
from scipy import special, stats

from attest.reproduction.tables.item_intervals import INTERVALS, rank_influence


def test_accuracy_by_hand():
    """Wilson's interval of 8 right items of 10, as textbooks print it."""
    gold, predicted = np.ones(10, int), np.array([1] * 8 + [0] * 2)
    assert INTERVALS["accuracy"](gold, predicted) == pytest.approx((49.02, 94.33), abs=0.01)
    low, high = INTERVALS["accuracy"](gold, gold)
    assert (low, high) == pytest.approx((72.25, 100), abs=0.01)


def correlated(decimals):
    rng = np.random.default_rng(0)
    gold = rng.normal(size=200)
    return np.round(gold, decimals), np.round(gold + rng.normal(size=200), decimals)


@pytest.mark.parametrize("decimals", [8, 0])
@pytest.mark.parametrize("metric", ["pearson", "spearman"])
def test_correlations_as_a_jackknife(metric, decimals):
    gold, predicted = correlated(decimals)
    correlation = stats.pearsonr if metric == "pearson" else stats.spearmanr
    left_out = [correlation(np.delete(gold, item), np.delete(predicted, item))[0] for item in range(200)]
    error = np.sqrt(199 / 200 * ((left_out - np.mean(left_out)) ** 2).sum())
    r = correlation(gold, predicted)[0]
    low, high = np.arctanh(INTERVALS[metric](gold, predicted))
    assert (low + high) / 2 == pytest.approx(np.arctanh(r))
    assert (high - low) / 2 == pytest.approx(special.ndtri(0.975) * error / (1 - r**2), rel=0.02)


def test_influences_on_ranks_sum_to_nothing():
    ranks = [stats.rankdata(values) for values in correlated(1)]
    assert rank_influence(*ranks).sum() == pytest.approx(0, abs=1e-9)


def test_squared_errors_by_hand():
    """Squares 0, 4, 1, 3 have the mean 2 and the standard deviation 1.826, so the error is 0.913."""
    low, high = INTERVALS["mse"](np.zeros(4), np.sqrt([0.0, 4.0, 1.0, 3.0]))
    assert (low, high) == pytest.approx((2 - 1.96 * 0.9129, 2 + 1.96 * 0.9129), abs=1e-3)


@pytest.mark.parametrize("metric", ["pearson", "spearman"])
@pytest.mark.parametrize("predicted", [[1.0, 1.0, 1.0], [1.0, 2.0, 3.0]])
def test_without_a_spread_there_is_no_interval(metric, predicted):
    assert INTERVALS[metric](np.array([1.0, 2.0, 3.0]), np.array(predicted)) is None
    assert INTERVALS["mse"](np.array([1.0]), np.array([2.0])) is None
