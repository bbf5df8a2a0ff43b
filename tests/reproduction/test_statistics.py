import numpy as np
import pytest
from scipy import stats

from attest.reproduction.tables.statistics import (
    Summary,
    adjusted_p_values,
    finding,
    mean_interval,
    normal_interval,
    p_values,
    pairs_to_significance,
    prediction_half_width,
)


def test_summary_by_hand():
    summary = Summary((1.0, 2.0, 3.0))
    assert (summary.n, summary.mean, summary.sd) == (3, 2.0, 1.0)
    assert Summary((4.0,)).sd is None


def test_interval_widths_of_small_samples():
    # t(0.975, n - 1) sqrt(1 + 1/n): 4.97 s at three runs, 3.04 s at five, 2.37 s at ten.
    for n, width in ((3, 4.97), (5, 3.04), (10, 2.37)):
        assert prediction_half_width(np.array(1.0), n) == pytest.approx(width, abs=0.005)


def test_the_interval_holds_the_next_run_19_times_in_20():
    rng, held = np.random.default_rng(0), 0
    for _ in range(2000):
        *seen, following = rng.normal(size=6)
        held += abs(following - np.mean(seen)) <= prediction_half_width(np.std(seen, ddof=1), 5)
    assert stats.binomtest(held, 2000, 0.95).pvalue > 0.01


def test_a_mean_of_many_more_runs_falls_nearer_than_one():
    """By hand: sd 1; t(0.975, 2) = 4.303; times sqrt(1/1 + 1/3) = 1.155 and sqrt(1/6 + 1/3) = 0.707."""
    three = Summary((84.0, 85.0, 86.0))
    assert prediction_half_width(np.array(1.0), 3) == pytest.approx(4.968, abs=1e-3)
    assert prediction_half_width(np.array(1.0), 3, runs=6) == pytest.approx(3.043, abs=1e-3)
    assert finding(three, 89.0, margin=0.5) == "undecided"
    assert finding(three, 89.0, margin=0.5, runs=6) == "below"


def test_folds_tell_less_than_as_many_runs_of_their_own():
    """By hand, of all ten folds: 1/10 + 1/9 in place of 1/10, so wider by sqrt(19/9) = 1.453."""
    ten = Summary(tuple(np.arange(10.0)))
    low, high = mean_interval(ten) or (0, 0)
    wider = mean_interval(ten, overlap=1 / 9) or (0, 0)
    assert (wider[1] - wider[0]) / (high - low) == pytest.approx(1.453, abs=1e-3)


@pytest.mark.parametrize(
    ("values", "printed", "expected"),
    [
        ((85.0,), 85.0, "undecided"),  # one run decides nothing, not even where it agrees
        ((85.0, 85.1, 85.2), 85.3, "within"),
        ((80.0, 85.0, 90.0), 85.1, "undecided"),  # the mean is near, and could be anywhere from 72.6 to 97.4
        ((85.0, 85.1, 85.2), 85.5, "undecided"),  # the interval reaches from 84.85 to 85.35
        ((85.09, 85.1, 85.11), 85.55, "within"),
        ((84.99, 85.0, 85.01), 85.49, "undecided"),  # outside of the prediction interval, and not beyond the margin
        ((80.0, 85.0, 90.0), 88.0, "undecided"),
        ((85.0, 85.1, 85.2), 90.0, "below"),
        ((85.0, 85.1, 85.2), 80.0, "above"),
        ((85.0, 85.0, 85.0), 85.4, "undecided"),  # equal by chance: the spread of further runs is unknown
        ((85.0, 85.0, 85.0), 95.0, "undecided"),
    ],
)
def test_findings(values, printed, expected):
    assert finding(Summary(values), printed, margin=0.5) == expected


@pytest.mark.parametrize(("mean", "pairs"), [(0.5, 34), (0.8, 15), (1.0, 10)])
def test_as_many_pairs_as_tell_a_difference_in_80_percent_of_cases(mean, pairs):
    """The numbers for a t-test of paired differences whose mean is 0.5, 0.8 or 1 standard deviations, as in tables of
    power (G*Power)."""
    assert pairs_to_significance(Summary((mean - 1, mean, mean + 1))) == pairs
    drawn = np.random.default_rng(0).normal(mean, size=(4000, pairs))
    assert np.mean(p_values(drawn) < 0.05) == pytest.approx(0.81, abs=0.03)


@pytest.mark.parametrize("values", [(1.0,), (-1.0, 1.0), (-100.0, 100.1)])
def test_no_number_of_pairs_where_none_would_tell(values):
    assert pairs_to_significance(Summary(values)) is None


def test_the_normal_interval():
    assert normal_interval(3.0, 0.5) == pytest.approx((3 - 0.98, 3 + 0.98), abs=1e-3)


def test_p_values_are_those_of_a_t_test():
    differences = np.random.default_rng(0).normal(0.5, size=(4, 6))
    assert p_values(differences) == pytest.approx(stats.ttest_1samp(differences, 0, axis=1).pvalue)
    assert p_values(np.array([[1.0, 1.0], [0.0, 0.0]])) == pytest.approx([1, 1])  # without spread there is no test
    assert mean_interval(Summary((1.0, 1.0))) is None
    assert pairs_to_significance(Summary((1.0, 1.0))) is None
    low, high = mean_interval(Summary(tuple(differences[0])), overlap=0.25) or (0, 0)
    at_border = differences[:1] - low  # with 0 on the border of the interval, p is 5%
    assert p_values(at_border, overlap=0.25) == pytest.approx([0.05])
    assert high > low


def test_p_values_are_corrected_by_hand():
    """Holm: 4 x 0.01, then 3 x 0.02, then 2 x 0.03 = 0.06 again, then at least as much."""
    assert adjusted_p_values(np.array([[0.02, 0.01, 0.04, 0.03]]))[0] == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert adjusted_p_values(np.array([[0.5, 0.9]]))[0] == pytest.approx([1.0, 1.0])
    assert adjusted_p_values(np.empty((1, 0))).shape == (1, 0)


def test_a_lower_level_takes_more_pairs():
    differences = Summary((0.0, 1.0, 2.0))
    assert (pairs_to_significance(differences), pairs_to_significance(differences, level=0.05 / 3)) == (10, 14)
    assert pairs_to_significance(differences, overlap=2.0) is None  # no number of redrawn splits would tell
