"""Differences over test items: by hand, beside a bootstrap, and from what runs left."""

import numpy as np
import pytest
from scipy import stats

from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.item_errors import (
    INFLUENCE,
    ItemPredictions,
    no_predictions,
    predictions_behind,
    standard_error,
)
from attest.reproduction.tables.run_pairs import RunPair, interval_over_items
from attest.runs.records import Record
from attest.runs.store import Store

ACCURACY, PEARSON = "test/accuracy", "test/pearson"


def said(*right, rows=None):
    """Of items whose gold label is 1."""
    rows_N = np.arange(len(right)) if rows is None else np.array(rows)
    return ItemPredictions(rows_N, np.ones(len(right), int), np.array(right, int))


def test_accuracy_by_hand():
    """Differences of items 100, 0, 0, -100 around 0: sqrt(2 x 100^2) / 4."""
    assert standard_error([(said(1, 1, 0, 0), said(0, 1, 0, 1))], ACCURACY) == pytest.approx(2**0.5 * 100 / 4)


def test_runs_that_say_the_same_leave_no_doubt():
    assert standard_error([(said(1, 0, 1), said(1, 0, 1))], ACCURACY) == 0


def test_seeds_share_their_items_and_folds_have_their_own():
    """Two seeds: an item's difference is the mean of both, (100, 50, -50, -100) / 4. Two folds of two: each item counts
    in its own fold, differences 100, 0 and 0, -100 around +-50, each by 1 / 4."""
    seeds = [(said(1, 1, 0, 0), said(0, 1, 0, 1)), (said(1, 1, 0, 0), said(0, 0, 1, 1))]
    assert standard_error(seeds, ACCURACY) == pytest.approx((2 * 100**2 + 2 * 50**2) ** 0.5 / 4)
    folds = [(said(1, 1), said(0, 1)), (said(0, 0, rows=[2, 3]), said(0, 1, rows=[2, 3]))]
    assert standard_error(folds, ACCURACY) == pytest.approx((4 * 50**2) ** 0.5 / 4)


def test_the_order_of_items_does_not_matter():
    there, back = said(1, 0, 1, 1), said(1, 1, 0, 1, rows=[3, 2, 1, 0])
    assert standard_error([(there, back)], ACCURACY) == 0


@pytest.mark.parametrize("metric", [ACCURACY, PEARSON])
def test_as_a_bootstrap(metric):
    rng = np.random.default_rng(0)
    gold = rng.normal(size=400)
    both = [gold + noise * rng.normal(size=400) for noise in (0.5, 0.8)]
    if metric == ACCURACY:
        gold, both = np.sign(gold), [np.sign(each) for each in both]

    def difference(which):
        values = [
            100 * np.mean(gold[which] == each[which]) if metric == ACCURACY
            else np.corrcoef(gold[which], each[which])[0, 1]
            for each in both
        ]  # fmt: skip
        return values[0] - values[1]

    drawn = stats.bootstrap([np.arange(400)], difference, vectorized=False, n_resamples=2000, rng=rng)
    ours = standard_error([tuple(ItemPredictions(np.arange(400), gold, each) for each in both)], metric)
    assert ours == pytest.approx(drawn.standard_error, rel=0.05)


@pytest.mark.parametrize("metric", INFLUENCE)
def test_influences_sum_to_nothing(metric):
    rng = np.random.default_rng(1)
    gold, other = rng.integers(0, 5, (2, 50))
    assert INFLUENCE[metric](gold, other).sum() == pytest.approx(0, abs=1e-9)


def test_who_always_says_the_same_has_no_correlation_on_any_items():
    assert not INFLUENCE[PEARSON](np.arange(4.0), np.ones(4)).any()


@pytest.fixture
def store(home):
    store = Store(home / "results/local/records")
    record = Record(id="r", status="done", settings={}, versions={}, data={"fingerprint": "f", "splits": {}}, seed=1)
    store.put(record, {"rows": np.array([3, 5, 8]), "labels": np.array([1, 1, 1]), "predictions": np.array([1, 0, 1]),
                       "same_bag": np.array([False, True, False])})  # fmt: skip
    return store


def test_from_what_runs_left(store):
    record = store.get("r")
    found = predictions_behind(record, ACCURACY, [], [store])
    assert found is not None
    assert (found.rows_N.tolist(), found.predicted_N.tolist()) == ([3, 5, 8], [1, 0, 1])
    view = predictions_behind(record, f"{ACCURACY}@distinct", [], [store])
    assert view is not None
    assert view.rows_N.tolist() == [3, 8]
    assert predictions_behind(record, f"{ACCURACY}@hard", [], [store]) is None, "no list of hard pairs is here"
    for metric in ("dev/accuracy", "test/accuracy/order", "cost/epoch_seconds"):
        assert predictions_behind(record, metric, [], [store]) is None
    assert predictions_behind(record, ACCURACY, [], []) is None


def test_no_interval_unless_all_runs_are_known(store):
    record, column = store.get("r"), Column(title="Test", metric=ACCURACY)
    pairs = [RunPair(record, record, 0.0)]
    assert interval_over_items(pairs, column, lambda run, metric: predictions_behind(run, metric, [], [store])) == (
        0,
        0,
    )
    assert interval_over_items(pairs, column, no_predictions) is None
    assert interval_over_items([], column, no_predictions) is None


def test_the_interval_lies_around_the_mean():
    """2 +- 1.96 x 100 / 2 x sqrt(2) / 2: two pairs, each with one item of two that differs."""
    record, column = object(), Column(title="Test", metric=ACCURACY)
    answers = iter([said(1, 1), said(0, 1)] * 2)
    found = interval_over_items(
        [RunPair(record, record, 1.0), RunPair(record, record, 3.0)], column, lambda *_: next(answers)
    )
    half = 1.959964 * (2 * 50**2) ** 0.5 / 2
    assert found == pytest.approx((2 - half, 2 + half), abs=1e-4)
