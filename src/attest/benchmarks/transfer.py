"""The fits of a task of transfer: side by side as ours, and one after another as SentEval makes them.

Legend: N examples, W features, S strengths.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from attest.benchmarks.timing import interleaved, row
from attest.transfer.classifiers import Classifier, Labelled
from attest.transfer.cross_validation import Problem, Solution, choice, nested, predictions, scores, solve
from attest.transfer.settings import CLASSIFIERS

SEED = 1111


def measure(
    *, classifiers: Mapping[str, str], examples: int, width: int, folds: int, rounds: int
) -> list[dict[str, Any]]:
    """Nested folds of two classes of made-up vectors, which are as hard to tell apart as CR's."""
    data = made_up(examples, width)
    problems = nested(data.y_N, folds)
    rows = []
    for case, kind in classifiers.items():
        classifier: Classifier = CLASSIFIERS[kind]()
        arguments = (problems, data, 2, classifier, classifier.grid("nested"), SEED)
        variants: dict[str, Callable[[], object]] = {
            "one after another": partial(one_after_another, *arguments),
            "side by side": partial(solve, *arguments),
        }
        rows += [row(case, name, seconds) for name, seconds in interleaved(variants, rounds, warmup=1).items()]
    return rows


def made_up(examples: int, width: int) -> Labelled:
    """A fifth of the labels says nothing; the others follow from the vectors."""
    rng = np.random.default_rng(0)
    x_NW, direction_W = rng.standard_normal((examples, width)) / 10, rng.standard_normal(width)
    chance_N = rng.integers(0, 2, examples)
    return Labelled(x_NW, np.where(rng.random(examples) < 0.2, chance_N, x_NW @ direction_W > 0).astype(int))


def one_after_another(
    problems: Sequence[Problem], data: Labelled, classes: int, classifier: Classifier, grid: Sequence[float], seed: int
) -> list[Solution]:
    """Every fit by itself in this process, with all its threads."""
    solved = []
    for one in problems:
        values_KS = [
            [float(scores(classifier, data, cut, (strength,), classes, seed).values[0]) for strength in grid]
            for cut in one.cuts
        ]
        chosen = choice(np.array(values_KS), grid)
        solved.append(Solution(*chosen, predictions(classifier, data, one.final, chosen[0], classes, seed).values))
    return solved
