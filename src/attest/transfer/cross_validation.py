"""SentEval's three ways to select the strength of regularisation, and the test that follows.

Legend: N examples, W features, K folds, S strengths.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attest.data.folds import stratified_folds
from attest.runs.observers import Observers
from attest.transfer.classifiers import Classifier, Fitted, Labelled
from attest.transfer.parallel import run_jobs

NESTED_SEED = 1111
"""The seed of nested folds, whatever the seed of the evaluation."""

Cut = tuple[np.ndarray, np.ndarray]
"""Rows to learn from, and rows to score."""
Final = tuple[np.ndarray, np.ndarray | None, np.ndarray]
"""Rows to learn from, rows that say when to stop (None if there are none), and rows to test on."""


@dataclass(frozen=True)
class Problem:
    """One selection of a strength, and the test that follows it."""

    cuts: Sequence[Cut]
    """The splits whose mean accuracy selects the strength."""
    final: Final
    """The rows of the last fit and of its test."""

    @property
    def test(self) -> np.ndarray:
        """The rows to test on."""
        return self.final[2]


@dataclass(frozen=True)
class Solution:
    """The strength selected for a problem, and the predictions of its test set."""

    strength: float
    dev: float
    """The best mean accuracy over the cuts, in percent."""
    predictions: np.ndarray
    """The class of each test example."""


def nested_problems(y_N: np.ndarray, folds: int) -> list[Problem]:
    """Return a problem for each fold: the fold is the test set, and folds of the others select the strength."""
    return [Problem(fold_cuts(y_N, train, folds, NESTED_SEED), (train, None, test))
            for train, test in fold_cuts(y_N, np.arange(len(y_N)), folds, NESTED_SEED)]  # fmt: skip


def k_fold_problems(y_N: np.ndarray, train: int, folds: int, seed: int) -> list[Problem]:
    """Return one problem: folds of the first `train` examples select the strength, and the others are the test set."""
    rows = np.arange(len(y_N))
    return [Problem(fold_cuts(y_N, rows[:train], folds, seed), (rows[:train], None, rows[train:]))]


def split_problems(y_N: np.ndarray, train: int, dev: int) -> list[Problem]:
    """Return one problem: the first `train` examples are learnt from, the next `dev` select the strength, the others
    are the test set."""
    train_rows, dev_rows, test_rows = np.split(np.arange(len(y_N)), [train, train + dev])
    return [Problem([(train_rows, dev_rows)], (train_rows, dev_rows, test_rows))]


def fold_cuts(y_N: np.ndarray, rows: np.ndarray, folds: int, seed: int) -> list[Cut]:
    """Return a cut for each of the stratified folds of some rows: the fold is scored, the others are learnt from."""
    folds_K = stratified_folds(y_N[rows], folds, seed)
    return [(rows[folds_K != fold], rows[folds_K == fold]) for fold in range(folds)]


def solve(
    problems: Sequence[Problem],
    data: Labelled,
    classes: int,
    classifier: Classifier,
    grid: Sequence[float],
    seed: int,
    jobs: int | None = None,
    observers: Observers = (),
) -> tuple[list[Solution], int]:
    """Return the solution of each problem, and the number of fits that did not converge.

    The fits that select strengths run before those that are tested. The observers receive the number of finished jobs,
    of which there are `job_count`.
    """
    groups = classifier.strength_groups(grid)
    cut_of = [(number, cut) for number, problem in enumerate(problems) for cut in problem.cuts]
    trials = [(classifier, data, cut, group, classes, seed) for _, cut in cut_of for group in groups]
    trial_fits = run_jobs(dev_scores, trials, jobs, observers)
    values_KS = np.concatenate([fit.values for fit in trial_fits]).reshape(-1, len(grid))
    owner_K = np.array([number for number, _ in cut_of])
    choices = [best_strength(values_KS[owner_K == number], grid) for number in range(len(problems))]
    finals = [
        (classifier, data, problem.final, strength, classes, seed)
        for problem, (strength, _) in zip(problems, choices, strict=True)
    ]
    final_fits = run_jobs(predict_test, finals, jobs, observers, done=len(trials))
    cut_off = sum(fit.cut_off for fit in (*trial_fits, *final_fits))
    return [Solution(*choice, fit.values) for choice, fit in zip(choices, final_fits, strict=True)], cut_off


def job_count(problems: Sequence[Problem], classifier: Classifier, grid: Sequence[float]) -> int:
    """Return the number of jobs that `solve` runs for the problems."""
    return len(problems) + sum(len(problem.cuts) for problem in problems) * len(classifier.strength_groups(grid))


def best_strength(values_KS: np.ndarray, grid: Sequence[float]) -> tuple[float, float]:
    """Return the strength with the best mean over the cuts, and that mean in percent.

    Means are rounded to two decimals; of equal ones the first strength is selected.
    """
    means_S = [round(100 * float(np.mean(column)), 2) for column in values_KS.T]
    best = int(np.argmax(means_S))
    return grid[best], means_S[best]


def dev_scores(
    classifier: Classifier, data: Labelled, cut: Cut, strengths: Sequence[float], classes: int, seed: int
) -> Fitted:
    """Return the share of the cut's scored rows that each strength labels correctly."""
    train, dev = (data.select(rows) for rows in cut)
    return classifier.scores(strengths, train, dev, classes, seed)


def predict_test(
    classifier: Classifier, data: Labelled, final: Final, strength: float, classes: int, seed: int
) -> Fitted:
    """Return the class of each test row of a problem."""
    train, dev, test = final
    held_out = None if dev is None else data.select(dev)
    return classifier.predictions(strength, data.select(train), held_out, data.x_NW[test], classes, seed)
