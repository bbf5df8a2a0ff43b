"""The rates of wrong findings that docs/findings.md states, by simulation.

Legend: R simulated figures, N replicates of ours, M runs of the paper's, K settings or folds, C comparisons of a table.
"""

import re

import numpy as np
import pytest
from places import ROOT

from attest.reproduction.tables.best_of_runs import bests_of_settings
from attest.reproduction.tables.statistics import adjusted_p_values, findings, p_values

DRAWS = 4000
STATED = {
    mistake: float(rate) / 100
    for mistake, rate in re.findall(r"^\| (.+?) \| (.+?)% \|", (ROOT / "docs/findings.md").read_text(), re.MULTILINE)
}
"""The mistake -> the largest share of figures, or of tables, in which it is made, as the page states it."""


def holds(mistake: str, wrong_R: np.ndarray) -> bool:
    """Return whether no more figures are wrong than the page states, up to three standard errors of the simulation."""
    stated = STATED[mistake]
    return float(np.mean(wrong_R)) <= stated + 3 * np.sqrt(stated * (1 - stated) / len(wrong_R))


def normal(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(DRAWS, *shape))


def alike(seed: int, count: int) -> np.ndarray:
    """Return (R, K) figures of the folds of one data set each, whose correlation is one in `count`."""
    shared = 1 / count
    return np.sqrt(shared) * normal(seed, 1) + np.sqrt(1 - shared) * normal(seed + 1, count)


def called(found_R: np.ndarray) -> np.ndarray:
    return (found_R == "above") | (found_R == "below")


@pytest.mark.parametrize("runs", [2, 3, 5, 10])
@pytest.mark.parametrize("spread", [0.05, 0.3, 1.0])
def test_within_though_the_true_mean_differs_by_the_margin(runs, spread):
    ours = 85.0 + 0.5 + spread * normal(runs, runs)
    found = findings(ours, np.full(DRAWS, 85.0), margin=0.5)
    assert holds("within, though our true mean differs by the margin", found == "within")


@pytest.mark.parametrize("spread", [0.05, 0.3])
def test_within_though_the_true_mean_over_data_sets_differs_by_the_margin(spread):
    ours, mistake = 85.0 + 0.5 + spread * alike(7, 10), "within, though our true mean differs by the margin"
    assert holds(mistake, findings(ours, np.full(DRAWS, 85.0), margin=0.5, overlap=1 / 9) == "within")
    assert not holds(mistake, findings(ours, np.full(DRAWS, 85.0), margin=0.5) == "within")


@pytest.mark.parametrize(("runs", "theirs"), [(3, 1), (5, 1), (10, 1), (5, 5)])
def test_above_or_below_though_the_paper_ran_the_same(runs, theirs):
    paper = normal(20 + theirs, theirs).mean(axis=1)
    found = findings(normal(runs, runs), paper, margin=0.0, runs=theirs)
    assert holds("above or below, though the paper's runs are like ours", called(found))
    assert called(found).mean() > 0.03, "the interval is no wider than it has to be"


def test_above_or_below_though_the_paper_has_folds_of_other_data_of_the_same_kind():
    found = findings(alike(1, 10), alike(3, 10).mean(axis=1), margin=0.0, runs=10, overlap=1 / 9)
    assert holds("above or below, though the paper's runs are like ours", called(found))
    uncorrected = findings(alike(1, 10), alike(3, 10).mean(axis=1), margin=0.0, runs=10)
    assert not holds("above or below, though the paper's runs are like ours", called(uncorrected))


def test_above_or_below_is_rarer_still_if_the_paper_has_folds_of_the_same_data():
    """The page says so: what all folds of one data set share is then no difference between the paper and us."""
    shared = np.sqrt(1 / 10) * normal(1, 1)
    ours, theirs = (shared + np.sqrt(9 / 10) * normal(seed, 10) for seed in (2, 4))
    found = findings(ours, theirs.mean(axis=1), margin=0.0, runs=10, overlap=1 / 9)
    assert called(found).mean() < 0.01
    assert holds(
        "above or below, though the paper's runs are like ours",
        called(findings(ours, theirs.mean(axis=1), margin=0.0, runs=10)),
    )


@pytest.mark.parametrize("settings", [2, 5])
def test_above_or_below_though_the_paper_took_the_best_of_the_same(settings):
    ours_RNK, theirs_R = normal(1, 5, settings), normal(2, settings).max(axis=1)
    best_RN = np.array(
        [bests_of_settings([dict(enumerate(runs)) for runs in figures.T], lower=False) for figures in ours_RNK]
    )
    mistake = "above or below, though the paper took the best of runs like ours"
    assert holds(mistake, called(findings(best_RN, theirs_R, margin=0.0)))
    taken_for_single_runs = findings(ours_RNK[:, :, 0], theirs_R, margin=0.0)
    assert holds(mistake, called(taken_for_single_runs)) == (settings == 2)


def test_a_comparison_is_called_though_rows_are_equal():
    mistake = "one comparison above or below before correction, though its rows are equal"
    assert holds(mistake, p_values(normal(1, 5)) < 0.05)
    assert holds(mistake, p_values(alike(5, 10), overlap=1 / 9) < 0.05)
    assert not holds(mistake, p_values(alike(5, 10)) < 0.05)


@pytest.mark.parametrize("comparisons", [2, 10, 18])
def test_any_comparison_of_a_table_is_called_though_all_rows_are_equal(comparisons):
    p_RC = np.stack([p_values(normal(seed, 5)) for seed in range(comparisons)], axis=1)
    mistake = "any claim of a table above or below, though all its rows are equal"
    assert holds(mistake, (adjusted_p_values(p_RC) < 0.05).any(axis=1))
    assert not holds(mistake, (p_RC < 0.05).any(axis=1))


def test_real_differences_beside_equal_rows_do_not_raise_the_rate():
    """Half of the comparisons have a large difference; of the other half, none may be called in 95% of the tables."""
    p_RC = np.stack([p_values(normal(seed, 5) + 5 * (seed < 4)) for seed in range(8)], axis=1)
    wrong = (adjusted_p_values(p_RC) < 0.05)[:, 4:].any(axis=1)
    assert holds("any claim of a table above or below, though all its rows are equal", wrong)
