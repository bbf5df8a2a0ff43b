"""Folds, choices and final fits, counted by hand with a classifier that only takes notes."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from attest.errors import SettingsError
from attest.transfer.classifiers import FitResult, LabelledVectors, RegularisationScores
from attest.transfer.cross_validation import (
    best_regularisation,
    check_classes,
    fold_splits,
    job_count,
    k_fold_problems,
    nested_problems,
    solve,
    split_problems,
)

Y = np.array([0, 1] * 12)
ROWS = LabelledVectors(np.arange(24.0)[:, None], Y)


@dataclass
class Notes:
    """Its score is its value, and it says of each test row which one it is."""

    alone: bool = True

    def grid(self, design):
        return (1.0, 3.0, 2.0)

    def groups(self, regularisations):
        return [(regularisation,) for regularisation in regularisations] if self.alone else [tuple(regularisations)]

    def scores(self, regularisations, train, dev, classes, seed):
        assert not set(train.x_NW[:, 0]) & set(dev.x_NW[:, 0])
        return RegularisationScores(np.array(regularisations) / 10, cut_off=1)

    def predictions(self, regularisation, train, dev, test_NW, classes, seed):
        assert not set(train.x_NW[:, 0]) & set(test_NW[:, 0])
        return FitResult(test_NW[:, 0])


@pytest.mark.parametrize("alone", [True, False])
def test_every_row_is_tested_once_by_nested_folds(alone):
    problems = nested_problems(Y, 4)
    solved, cut_off = solve(problems, ROWS, 2, Notes(alone), (1.0, 3.0, 2.0), 1, jobs=1)
    assert sorted(row for one in solved for row in one.predictions) == list(range(24))
    assert {(one.regularisation, one.dev) for one in solved} == {(3.0, 30.0)}
    assert cut_off == 4 * 4 * (3 if alone else 1)
    assert job_count(problems, Notes(alone), (1.0, 3.0, 2.0)) == cut_off + 4
    for one in problems:
        train, dev, test = one.test_split
        assert dev is None
        assert sorted([*train, *test]) == list(range(24))
        for learnt, judged in one.selection_splits:
            assert sorted([*learnt, *judged]) == sorted(train)
            assert Y[judged].sum() in (len(judged) // 2, (len(judged) + 1) // 2)


def test_a_test_set_that_stands_apart():
    (one,) = k_fold_problems(Y, 18, 3, seed=1)
    assert one.test.tolist() == list(range(18, 24))
    assert (
        sorted(row for _, judged in one.selection_splits for row in judged)
        == list(range(18))
        == one.test_split[0].tolist()
    )
    (other,) = k_fold_problems(Y, 18, 3, seed=2)
    assert any((a[1] != b[1]).any() for a, b in zip(one.selection_splits, other.selection_splits, strict=True))


def test_a_dev_set_that_chooses_and_then_says_when_to_stop():
    (one,) = split_problems(Y, 10, 6)
    train, dev, test = one.test_split
    assert (train.tolist(), dev.tolist(), test.tolist()) == (list(range(10)), list(range(10, 16)), list(range(16, 24)))
    ((learnt, judged),) = one.selection_splits
    assert (learnt is train, judged is dev) == (True, True)


def test_means_are_rounded_before_the_first_of_equals_is_taken():
    values = np.array([[0.70001, 0.70004, 0.5], [0.8, 0.8, 0.5]])
    assert best_regularisation(values, (1.0, 2.0, 3.0)) == (1.0, 75.0)
    assert best_regularisation(values + np.array([0, 0.0001, 0]), (1.0, 2.0, 3.0)) == (2.0, 75.01)


def test_processes_give_what_one_process_gives():
    """Also large arrays, which are handed over as files."""
    from attest.transfer.classifiers import Sklearn

    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 500)).astype(np.float32)
    data = LabelledVectors(x, (x[:, 0] + rng.normal(size=300) > 0).astype(int))
    steps = []
    arguments = (nested_problems(data.y_N, 2), data, 2, Sklearn(), (0.25, 4.0), 1111)
    many, _ = solve(*arguments, jobs=2, observers=[SimpleNamespace(step=steps.append)])
    one, _ = solve(*arguments, jobs=1)
    assert [a.predictions.tolist() for a in many] == [b.predictions.tolist() for b in one]
    assert steps == list(range(1, 11))


def test_more_folds_than_examples_are_refused():
    with pytest.raises(SettingsError, match="folds: 6 examples cannot be cut into 10 folds"):
        fold_splits(np.arange(6) % 2, np.arange(6), 10, 1)


@pytest.mark.parametrize(("rare", "refused"), [(1, True), (2, True), (3, False)])
def test_a_class_too_rare_for_nested_folds_is_an_error_that_names_the_task(rare, refused):
    """Of two examples one is tested, and the other then selects the value, so that none is left to learn from."""
    y_N = np.array([0] * 27 + [1] * rare)
    problems = nested_problems(y_N, 5)
    if refused:
        with pytest.raises(SettingsError, match="tasks: a training set of CR holds .*, or leave CR out of tasks"):
            check_classes("CR", problems, y_N)
    else:
        check_classes("CR", problems, y_N)
