"""SentEval's three designs of cross-validation: which rows select the value of regularisation, and which are tested.

Legend: N examples, K folds or selection splits, S values of regularisation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attest.data.splits.folds import stratified_folds
from attest.errors import SettingsError
from attest.runs.observers import Observers
from attest.transfer.classifiers import FitResult, LabelledVectors, RegularisationScores
from attest.transfer.network import Classifier
from attest.transfer.parallel import run_jobs

NESTED_SEED = 1111
"""The seed of nested folds, which does not depend on the seed of the evaluation."""

TrainDevRows = tuple[np.ndarray, np.ndarray]
"""The row numbers of the training examples and of the dev examples."""
TrainDevTestRows = tuple[np.ndarray, np.ndarray | None, np.ndarray]
"""The row numbers of the training, dev (for early stopping; None if there is no dev set) and test examples."""


@dataclass(frozen=True)
class Problem:
    """A problem of cross-validation: select a value of regularisation, fit with this value, and test the fit."""

    selection_splits: Sequence[TrainDevRows]
    """The splits on which every value is tried; the value with the highest mean dev accuracy is selected."""
    test_split: TrainDevTestRows
    """The split on which the selected value is fitted and tested."""

    @property
    def test(self) -> np.ndarray:
        """The row numbers of the test examples."""
        return self.test_split[2]


@dataclass(frozen=True)
class Solution:
    """The result of a problem: the selected value, and the predictions for the test examples."""

    regularisation: float
    dev: float
    """The mean dev accuracy of the selected value over the selection splits, in percent."""
    predictions: np.ndarray
    """The predicted class of each test example."""


def nested_problems(y_N: np.ndarray, folds: int) -> list[Problem]:
    """Return a problem for each fold.

    The fold is the test set. The other folds together are the training set, which is divided into folds again to select
    the value.
    """
    return [Problem(fold_splits(y_N, train, folds, NESTED_SEED), (train, None, test))
            for train, test in fold_splits(y_N, np.arange(len(y_N)), folds, NESTED_SEED)]  # fmt: skip


def k_fold_problems(y_N: np.ndarray, train: int, folds: int, seed: int) -> list[Problem]:
    """Return one problem: folds of the first `train` examples select the value, and the rest is the test set."""
    rows = np.arange(len(y_N))
    return [Problem(fold_splits(y_N, rows[:train], folds, seed), (rows[:train], None, rows[train:]))]


def split_problems(y_N: np.ndarray, train: int, dev: int) -> list[Problem]:
    """Return one problem: `train` training examples first, then `dev` dev examples, and the rest as the test set."""
    train_rows, dev_rows, test_rows = np.split(np.arange(len(y_N)), [train, train + dev])
    return [Problem([(train_rows, dev_rows)], (train_rows, dev_rows, test_rows))]


def fold_splits(y_N: np.ndarray, rows: np.ndarray, folds: int, seed: int) -> list[TrainDevRows]:
    """Return a split for each stratified fold of the rows: the fold as the dev set, the others as the training set."""
    if len(rows) < folds:
        raise SettingsError(
            f"folds: {len(rows)} examples cannot be cut into {folds} folds; set folds to a lower number"
        )
    fold_N = stratified_folds(y_N[rows], folds, seed)
    return [(rows[fold_N != fold], rows[fold_N == fold]) for fold in range(folds)]


def check_classes(name: str, problems: Sequence[Problem], y_N: np.ndarray) -> None:
    """Raise SettingsError if the examples of a training set of task `name` are all of one class."""
    training_sets = [train for problem in problems for train, *_ in (*problem.selection_splits, problem.test_split)]
    if any(len(np.unique(y_N[train])) < 2 for train in training_sets):
        raise SettingsError(
            f"tasks: a training set of {name} holds examples of one class alone, since the other classes are too rare; "
            f"use the complete files of {name}, or leave {name} out of tasks"
        )


def solve(
    problems: Sequence[Problem],
    data: LabelledVectors,
    classes: int,
    classifier: Classifier,
    grid: Sequence[float],
    seed: int,
    jobs: int | None = None,
    observers: Observers = (),
) -> tuple[list[Solution], int]:
    """Return the solution of each problem, and the number of fits that did not converge.

    The fits that select values run before those that are tested. The observers receive the number of finished jobs,
    of which there are `job_count`.
    """
    groups = classifier.groups(grid)
    splits = [(number, split) for number, problem in enumerate(problems) for split in problem.selection_splits]
    trials = [(classifier, data, split, group, classes, seed) for _, split in splits for group in groups]
    trial_fits = run_jobs(dev_scores, trials, jobs, observers)
    values_KS = np.concatenate([fit.accuracies_S for fit in trial_fits]).reshape(-1, len(grid))
    problem_K = np.array([number for number, _ in splits])
    choices = [best_regularisation(values_KS[problem_K == number], grid) for number in range(len(problems))]
    finals = [
        (classifier, data, problem.test_split, regularisation, classes, seed)
        for problem, (regularisation, _) in zip(problems, choices, strict=True)
    ]
    final_fits = run_jobs(predict_test, finals, jobs, observers, done=len(trials))
    cut_off = sum(fit.cut_off for fit in (*trial_fits, *final_fits))
    return [Solution(*choice, fit.classes_N) for choice, fit in zip(choices, final_fits, strict=True)], cut_off


def job_count(problems: Sequence[Problem], classifier: Classifier, grid: Sequence[float]) -> int:
    """Return the number of jobs that `solve` runs for the problems."""
    splits = sum(len(problem.selection_splits) for problem in problems)
    return len(problems) + splits * len(classifier.groups(grid))


def best_regularisation(values_KS: np.ndarray, grid: Sequence[float]) -> tuple[float, float]:
    """Return the value of `grid` with the highest mean dev accuracy over K splits, and this mean in percent.

    Means are rounded to two decimals; among values with equal means, the first is returned.
    """
    means_S = [round(100 * float(np.mean(column)), 2) for column in values_KS.T]
    best = int(np.argmax(means_S))
    return grid[best], means_S[best]


def dev_scores(
    classifier: Classifier,
    data: LabelledVectors,
    rows: TrainDevRows,
    regularisations: Sequence[float],
    classes: int,
    seed: int,
) -> RegularisationScores:
    """Fit on the training rows with each value, and return the accuracies on the dev rows."""
    train, dev = (data.select(part) for part in rows)
    return classifier.scores(regularisations, train, dev, classes, seed)


def predict_test(
    classifier: Classifier,
    data: LabelledVectors,
    rows: TrainDevTestRows,
    regularisation: float,
    classes: int,
    seed: int,
) -> FitResult:
    """Fit on the training rows with one value of regularisation, and return the predicted class of each test row."""
    train, dev, test = rows
    held_out = None if dev is None else data.select(dev)
    return classifier.predictions(regularisation, data.select(train), held_out, data.x_NW[test], classes, seed)
