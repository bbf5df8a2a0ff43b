"""SIGKILL at random moments: the same command again ends as if nothing had happened."""

import itertools
import random

import pytest
from chaos.sweep import RUNS, SWEEP, Sweep, run_with_traps


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, make_once, mini_data):
    """Metrics of the sweep when nobody kills it, the moments at which one could, and how long it takes."""

    def finish():
        sweep = Sweep(tmp_path_factory.mktemp("undisturbed"), mini_data)
        moments, seconds = sweep.finish()
        assert len(sweep.metrics()) == RUNS
        assert sweep.leftovers() == []
        return sweep.metrics(), moments, seconds

    return make_once("undisturbed", finish)


def kill_at(sweep, moment, side):
    status, said = run_with_traps(sweep.home, *SWEEP, moment=moment, side=side)
    assert status in (-9, 0), said


def test_kills_in_a_row_change_nothing(undisturbed, tmp_path, mini_data):
    expected, moments, seconds = undisturbed
    rng, sweep, when = random.Random(3), Sweep(tmp_path, mini_data), []
    for _ in range(5):
        when.append(sweep.kill(rng, moments, seconds))
        known = sweep.metrics()
        assert all(known[identity] == expected[identity] for identity in known), when
    sweep.finish()
    assert sweep.metrics() == expected, when
    assert sweep.leftovers() == [], when


def test_a_kill_at_any_kind_of_write_is_survived(undisturbed, tmp_path, mini_data):
    """From the first checkpoint to the last rename of the first record: every ninth moment, before or after it."""
    expected, moments, _ = undisturbed
    sweep = Sweep(tmp_path, mini_data)
    for moment, side in zip(range(1, moments // RUNS, 9), itertools.cycle(("before", "after"))):
        kill_at(sweep, moment, side)
    sweep.finish()
    assert sweep.metrics() == expected
    assert sweep.leftovers() == []


def test_a_kill_while_corpora_are_made_is_survived(undisturbed, tmp_path):
    """At the first write, and at one in the middle of the built-in corpora."""
    sweep = Sweep(tmp_path)
    for moment, side in ((1, "before"), (60, "after")):
        kill_at(sweep, moment, side)
        assert not (tmp_path / "cache/mini").exists()
    sweep.finish()
    assert sweep.metrics() == undisturbed[0]
    assert sweep.leftovers() == []
