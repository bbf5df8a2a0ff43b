"""Time of the fits of a transfer task: all at once as in Attest, and one after another as in SentEval.

Legend: N examples, W features, S values of regularisation.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from attest.benchmarks.timing import result_row, time_in_turns
from attest.transfer.classifiers import LabelledVectors
from attest.transfer.cross_validation import (
    Problem,
    Solution,
    best_regularisation,
    dev_scores,
    nested_problems,
    predict_test,
    solve,
)
from attest.transfer.network import Classifier
from attest.transfer.settings import CLASSIFIERS

SEED = 1111


def measure(
    *, classifiers: Mapping[str, str], examples: int, width: int, folds: int, rounds: int, jobs: int | None = None
) -> list[dict[str, Any]]:
    """Return the rows of a benchmark: the seconds of nested cross-validation on random vectors of two classes.

    `classifiers` maps the name of a case to the kind of its classifier, and `jobs` is the number of processes that fit
    side by side, by default one for each core. The classes are about as hard to tell apart as
    those of CR, a task of SentEval.
    """
    data = random_examples(examples, width)
    problems = nested_problems(data.y_N, folds)
    rows = []
    for case, kind in classifiers.items():
        classifier: Classifier = CLASSIFIERS[kind]()
        arguments = (problems, data, 2, classifier, classifier.grid("nested"), SEED)
        variants: dict[str, Callable[[], object]] = {
            "one after another": partial(solve_sequentially, *arguments),
            "side by side": partial(solve, *arguments, jobs=jobs),
        }
        rows += [result_row(case, name, seconds) for name, seconds in time_in_turns(variants, rounds, warmup=1).items()]
    return rows


def random_examples(examples: int, width: int) -> LabelledVectors:
    """Return random vectors with labels that follow from the vectors, except for a fifth, whose labels are random."""
    rng = np.random.default_rng(0)
    x_NW, direction_W = rng.standard_normal((examples, width)) / 10, rng.standard_normal(width)
    chance_N = rng.integers(0, 2, examples)
    return LabelledVectors(x_NW, np.where(rng.random(examples) < 0.2, chance_N, x_NW @ direction_W > 0).astype(int))


def solve_sequentially(
    problems: Sequence[Problem],
    data: LabelledVectors,
    classes: int,
    classifier: Classifier,
    grid: Sequence[float],
    seed: int,
) -> list[Solution]:
    """Return the solutions of all problems, fitting one at a time in this process with all its threads."""
    solved = []
    for problem in problems:
        accuracies_KS = [
            [
                float(dev_scores(classifier, data, split, (regularisation,), classes, seed).accuracies_S[0])
                for regularisation in grid
            ]
            for split in problem.selection_splits
        ]
        regularisation, dev = best_regularisation(np.array(accuracies_KS), grid)
        predicted = predict_test(classifier, data, problem.test_split, regularisation, classes, seed)
        solved.append(Solution(regularisation, dev, predicted.classes_N))
    return solved
