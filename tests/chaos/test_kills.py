"""SIGKILL at random moments: the same command again ends as if nothing had happened."""

import random

import pytest
from chaos.sweep import RUNS, SWEEP, Sweep, run_with_traps


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Metrics of the sweep when nobody kills it, the moments at which one could, and how long it takes."""
    sweep = Sweep(tmp_path_factory.mktemp("undisturbed"))
    moments, seconds = sweep.finish()
    assert len(sweep.metrics()) == RUNS
    assert sweep.leftovers() == []
    return sweep.metrics(), moments, seconds


def test_ten_kills_in_a_row_change_nothing(undisturbed, tmp_path):
    expected, moments, seconds = undisturbed
    rng, sweep, when = random.Random(3), Sweep(tmp_path), []
    for _ in range(10):
        when.append(sweep.kill(rng, moments, seconds))
        known = sweep.metrics()
        assert all(known[identity] == expected[identity] for identity in known), when
    sweep.finish()
    assert sweep.metrics() == expected, when
    assert sweep.leftovers() == [], when


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_kill_at_any_kind_of_write_is_survived(side, undisturbed, tmp_path):
    """From the first file of the built-in corpora to the last rename of the first record: every fifteenth moment."""
    expected, moments, _ = undisturbed
    sweep = Sweep(tmp_path)
    for moment in range(1, moments // RUNS, 15):
        status, said = run_with_traps(sweep.home, *SWEEP, moment=moment, side=side)
        assert status in (-9, 0), said
    sweep.finish()
    assert sweep.metrics() == expected
    assert sweep.leftovers() == []
