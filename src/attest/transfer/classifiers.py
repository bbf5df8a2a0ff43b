"""Classifiers of sentence vectors: what they take and return, and logistic regression by scikit-learn.

Legend: N examples, W features, S values of regularisation.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from attest.config.schema import check_fields


class LabelledVectors(NamedTuple):
    """Feature vectors with their labels."""

    x_NW: np.ndarray
    y_N: np.ndarray

    def __len__(self) -> int:
        return len(self.y_N)

    def select(self, rows: np.ndarray) -> "LabelledVectors":
        """Return the examples at the given row numbers, in that order."""
        return LabelledVectors(self.x_NW[rows], self.y_N[rows])


@dataclass(frozen=True)
class RegularisationScores:
    """The result of fitting a classifier once with each of several values of regularisation."""

    accuracies_S: np.ndarray
    """The accuracy (S,) on dev with each value, from 0 to 1."""
    cut_off: int = 0
    """The number of fits that stopped at the limit of steps before they converged."""


@dataclass(frozen=True)
class FitResult:
    """The result of fitting a classifier once, with one value of regularisation."""

    classes_N: np.ndarray
    """The predicted class (N,) of each test example."""
    cut_off: int = 0
    """1 if the fit stopped at the limit of steps before it converged, else 0."""


if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier


@dataclass(frozen=True, kw_only=True)
class Sklearn:
    """Logistic regression by scikit-learn.

    The value of regularisation is scikit-learn's C: the larger, the weaker the L2 penalty.
    """

    kind: Literal["sklearn"] = "sklearn"
    solver: Literal["lbfgs", "liblinear"] = "lbfgs"
    """The solver. lbfgs: one softmax over all classes, scikit-learn's default since 0.22; liblinear: one classifier for
    each class against the rest, the default when SentEval was published, which takes about twenty times as long."""

    def __post_init__(self) -> None:
        check_fields(self)

    def grid(self, design: str) -> tuple[float, ...]:
        """Return the values that SentEval tries: 2^-1 to 2^5 for k-fold, 2^-2 to 2^3 for other designs."""
        exponents = range(-1, 6) if design == "k-fold" else range(-2, 4)
        return tuple(2.0**exponent for exponent in exponents)

    def groups(self, regularisations: Sequence[float]) -> list[tuple[float, ...]]:
        """Return each value as a group of its own."""
        return [(regularisation,) for regularisation in regularisations]

    def scores(
        self, regularisations: Sequence[float], train: LabelledVectors, dev: LabelledVectors, classes: int, seed: int
    ) -> RegularisationScores:
        """Fit on `train` with each value, and return the accuracies on `dev`."""
        fits = [
            self.predictions(regularisation, train, None, dev.x_NW, classes, seed) for regularisation in regularisations
        ]
        right = [float((fit.classes_N == dev.y_N).mean()) for fit in fits]
        return RegularisationScores(np.array(right), sum(fit.cut_off for fit in fits))

    def predictions(
        self,
        regularisation: float,
        train: LabelledVectors,
        dev: LabelledVectors | None,
        test_NW: np.ndarray,
        classes: int,
        seed: int,
    ) -> FitResult:
        """Fit on `train`, and return the predicted class of each test example; `dev` is not used."""
        from sklearn.exceptions import ConvergenceWarning

        model = self.model(regularisation, classes, seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            model.fit(train.x_NW, train.y_N)
        cut_off = any(warning.category is ConvergenceWarning for warning in caught)
        return FitResult(np.asarray(model.predict(test_NW)), int(cut_off))

    def model(self, regularisation: float, classes: int, seed: int) -> "LogisticRegression | OneVsRestClassifier":
        """Return scikit-learn's model before it is fitted."""
        from sklearn.linear_model import LogisticRegression
        from sklearn.multiclass import OneVsRestClassifier

        classifier = LogisticRegression(C=regularisation, solver=self.solver, random_state=seed)
        return OneVsRestClassifier(classifier) if self.solver == "liblinear" and classes > 2 else classifier
