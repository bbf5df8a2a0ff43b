"""Which strength of regularisation is best, and what is right with it: SentEval's three ways of cross-validation.

Legend: N examples, W features, K folds, S strengths.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attest.data.folds import stratified_folds
from attest.transfer.classifiers import Classifier, Fitted, Labelled
from attest.transfer.parallel import Advance, nobody, run

NESTED_SEED = 1111
"""Nested folds are the same whatever the seed."""

Cut = tuple[np.ndarray, np.ndarray]
"""Rows to learn from and rows to be judged by."""
Final = tuple[np.ndarray, np.ndarray | None, np.ndarray]
"""Rows to learn from, rows that say when to stop, where there are any, and rows to be tested on."""


@dataclass(frozen=True)
class Problem:
    """One choice of a strength, and the test that follows it."""

    cuts: Sequence[Cut]
    final: Final

    @property
    def test(self) -> np.ndarray:
        return self.final[2]


@dataclass(frozen=True)
class Solution:
    """What was chosen, and what it says of the test set."""

    strength: float
    dev: float
    """The best mean accuracy over the cuts, in percent."""
    predictions: np.ndarray


def nested(y_N: np.ndarray, folds: int) -> list[Problem]:
    """Every fold is the test set once, and folds of the others choose."""
    return [Problem(cuts(y_N, train, folds, NESTED_SEED), (train, None, test))
            for train, test in cuts(y_N, np.arange(len(y_N)), folds, NESTED_SEED)]  # fmt: skip


def k_fold(y_N: np.ndarray, train: int, folds: int, seed: int) -> list[Problem]:
    """Folds of the first `train` examples choose; the others are the test set."""
    rows = np.arange(len(y_N))
    return [Problem(cuts(y_N, rows[:train], folds, seed), (rows[:train], None, rows[train:]))]


def split(y_N: np.ndarray, train: int, dev: int) -> list[Problem]:
    """The first `train` examples are learnt from, the next `dev` choose, the others are the test set."""
    one, two, three = np.split(np.arange(len(y_N)), [train, train + dev])
    return [Problem([(one, two)], (one, two, three))]


def cuts(y_N: np.ndarray, rows: np.ndarray, folds: int, seed: int) -> list[Cut]:
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
    advance: Advance = nobody,
) -> tuple[list[Solution], int]:
    """First every fit that helps to choose, then the final ones; and how many fits used up their steps."""
    groups = classifier.together(grid)
    cut_of = [(number, cut) for number, one in enumerate(problems) for cut in one.cuts]
    trials = [(classifier, data, cut, group, classes, seed) for _, cut in cut_of for group in groups]
    tried = run(scores, trials, jobs, advance)
    values_KS = np.concatenate([fit.values for fit in tried]).reshape(-1, len(grid))
    owner_K = np.array([number for number, _ in cut_of])
    choices = [choice(values_KS[owner_K == number], grid) for number in range(len(problems))]
    finals = [
        (classifier, data, one.final, strength, classes, seed)
        for one, (strength, _) in zip(problems, choices, strict=True)
    ]
    final = run(predictions, finals, jobs, lambda done: advance(len(trials) + done))
    cut_off = sum(fit.cut_off for fit in (*tried, *final))
    return [Solution(*chosen, fit.values) for chosen, fit in zip(choices, final, strict=True)], cut_off


def fits(problems: Sequence[Problem], classifier: Classifier, grid: Sequence[float]) -> int:
    """How many pieces of work `solve` will make of it."""
    return len(problems) + sum(len(one.cuts) for one in problems) * len(classifier.together(grid))


def choice(values_KS: np.ndarray, grid: Sequence[float]) -> tuple[float, float]:
    """The strength with the best mean over the cuts and that mean. Means count to two decimals of a percent, and of
    equals the first does."""
    means_S = [round(100 * float(np.mean(column)), 2) for column in values_KS.T]
    best = int(np.argmax(means_S))
    return grid[best], means_S[best]


def scores(
    classifier: Classifier, data: Labelled, cut: Cut, strengths: Sequence[float], classes: int, seed: int
) -> Fitted:
    train, dev = (data.select(rows) for rows in cut)
    return classifier.scores(strengths, train, dev, classes, seed)


def predictions(
    classifier: Classifier, data: Labelled, final: Final, strength: float, classes: int, seed: int
) -> Fitted:
    train, dev, test = final
    held_out = None if dev is None else data.select(dev)
    return classifier.predictions(strength, data.select(train), held_out, data.x_NW[test], classes, seed)
