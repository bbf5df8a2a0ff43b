"""Classifiers of sentence vectors: their common interface, and logistic regression by scikit-learn.

Legend: N examples, W features.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np


class Labelled(NamedTuple):
    """Feature vectors with their labels."""

    x_NW: np.ndarray
    y_N: np.ndarray

    def __len__(self) -> int:
        return len(self.y_N)

    def select(self, rows: np.ndarray) -> "Labelled":
        """Return the examples of the given rows."""
        return Labelled(self.x_NW[rows], self.y_N[rows])


@dataclass(frozen=True)
class Fitted:
    """The outcome of one fit, or of several side by side."""

    values: np.ndarray
    """The share of dev examples that each strength labels correctly, or the class of each test example."""
    cut_off: int = 0
    """The number of fits that ended at their limit of steps, before they converged."""


class Classifier(Protocol):
    """A preset of SentEval: Sklearn or Torch."""

    def grid(self, design: str) -> tuple[float, ...]:
        """Return the strengths of regularisation that are tried for a design of tasks."""
        ...

    def strength_groups(self, strengths: Sequence[float]) -> list[tuple[float, ...]]:
        """Return the strengths in groups; one process fits the strengths of a group."""
        ...

    def scores(self, strengths: Sequence[float], train: Labelled, dev: Labelled, classes: int, seed: int) -> Fitted:
        """Return the share of `dev` that a fit with each strength labels correctly."""
        ...

    def predictions(
        self, strength: float, train: Labelled, dev: Labelled | None, test_NW: np.ndarray, classes: int, seed: int
    ) -> Fitted:
        """Return the class of each test example by one fit; `dev` says when to stop."""
        ...


if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier


@dataclass(frozen=True, kw_only=True)
class Sklearn:
    """Logistic regression by scikit-learn. All weights are pulled to zero alike, by 1 / strength, which scikit-learn
    calls C."""

    kind: Literal["sklearn"] = "sklearn"
    solver: Literal["lbfgs", "liblinear"] = "lbfgs"
    """The solver: lbfgs, all classes at once, is scikit-learn's default since 0.22; liblinear, each class against the
    rest, was the default before and gave the figures of SentEval's time. It takes about twenty times as long."""

    def grid(self, design: str) -> tuple[float, ...]:
        """Return the strengths that SentEval tries: 2^-1 to 2^5 for k-fold, 2^-2 to 2^3 for other designs."""
        exponents = range(-1, 6) if design == "k-fold" else range(-2, 4)
        return tuple(2.0**exponent for exponent in exponents)

    def strength_groups(self, strengths: Sequence[float]) -> list[tuple[float, ...]]:
        """Return each strength as a group of its own."""
        return [(strength,) for strength in strengths]

    def scores(self, strengths: Sequence[float], train: Labelled, dev: Labelled, classes: int, seed: int) -> Fitted:
        """Return the share of `dev` that a fit with each strength labels correctly."""
        fits = [self.predictions(strength, train, None, dev.x_NW, classes, seed) for strength in strengths]
        right = [float((fit.values == dev.y_N).mean()) for fit in fits]
        return Fitted(np.array(right), sum(fit.cut_off for fit in fits))

    def predictions(
        self, strength: float, train: Labelled, dev: Labelled | None, test_NW: np.ndarray, classes: int, seed: int
    ) -> Fitted:
        """Return the class of each test example; `dev` is not used."""
        from sklearn.exceptions import ConvergenceWarning

        model = self.model(strength, classes, seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            model.fit(train.x_NW, train.y_N)
        return Fitted(np.asarray(model.predict(test_NW)), int(any(w.category is ConvergenceWarning for w in caught)))

    def model(self, strength: float, classes: int, seed: int) -> "LogisticRegression | OneVsRestClassifier":
        """Return an unfitted model of scikit-learn."""
        from sklearn.linear_model import LogisticRegression
        from sklearn.multiclass import OneVsRestClassifier

        classifier = LogisticRegression(C=strength, solver=self.solver, random_state=seed)
        return OneVsRestClassifier(classifier) if self.solver == "liblinear" and classes > 2 else classifier
