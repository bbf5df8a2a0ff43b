"""What all classifiers take and give.

Legend: N examples, W features.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np


class Labelled(NamedTuple):
    """Examples to learn from or to be judged by."""

    x_NW: np.ndarray
    y_N: np.ndarray

    def __len__(self) -> int:
        return len(self.y_N)

    def select(self, rows: np.ndarray) -> "Labelled":
        return Labelled(self.x_NW[rows], self.y_N[rows])


@dataclass(frozen=True)
class Fitted:
    """What came of one fit or of several side by side."""

    values: np.ndarray
    """Share of dev examples that each strength gets right, or the class of each test example."""
    cut_off: int = 0
    """Fits that ended because their steps were used up."""


class Classifier(Protocol):
    """A preset of SentEval: Sklearn or Torch."""

    def grid(self, design: str) -> tuple[float, ...]:
        """The strengths of regularisation that are tried."""
        ...

    def together(self, strengths: Sequence[float]) -> list[tuple[float, ...]]:
        """Which strengths one process fits."""
        ...

    def scores(self, strengths: Sequence[float], train: Labelled, dev: Labelled, classes: int, seed: int) -> Fitted:
        """The share of `dev` that each strength gets right."""
        ...

    def predictions(
        self, strength: float, train: Labelled, dev: Labelled | None, test_NW: np.ndarray, classes: int, seed: int
    ) -> Fitted:
        """The class of each test example."""
        ...


if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier


@dataclass(frozen=True, kw_only=True)
class Sklearn:
    """All weights alike are pulled to zero, by 1 / strength; scikit-learn calls the strength C."""

    kind: Literal["sklearn"] = "sklearn"
    solver: Literal["lbfgs", "liblinear"] = "lbfgs"
    """lbfgs, all classes at once, is scikit-learn's own choice since 0.22; liblinear, each class against the rest, was
    so before and stands behind the figures of SentEval's time. It takes about twenty times as long."""

    def grid(self, design: str) -> tuple[float, ...]:
        exponents = range(-1, 6) if design == "k-fold" else range(-2, 4)
        return tuple(2.0**exponent for exponent in exponents)

    def together(self, strengths: Sequence[float]) -> list[tuple[float, ...]]:
        """Which strengths one process fits: each on its own."""
        return [(strength,) for strength in strengths]

    def scores(self, strengths: Sequence[float], train: Labelled, dev: Labelled, classes: int, seed: int) -> Fitted:
        fits = [self.predictions(strength, train, None, dev.x_NW, classes, seed) for strength in strengths]
        right = [float((fit.values == dev.y_N).mean()) for fit in fits]
        return Fitted(np.array(right), sum(fit.cut_off for fit in fits))

    def predictions(
        self, strength: float, train: Labelled, dev: Labelled | None, test_NW: np.ndarray, classes: int, seed: int
    ) -> Fitted:
        """`dev` is not looked at."""
        from sklearn.exceptions import ConvergenceWarning

        model = self.model(strength, classes, seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            model.fit(train.x_NW, train.y_N)
        return Fitted(np.asarray(model.predict(test_NW)), int(any(w.category is ConvergenceWarning for w in caught)))

    def model(self, strength: float, classes: int, seed: int) -> "LogisticRegression | OneVsRestClassifier":
        from sklearn.linear_model import LogisticRegression
        from sklearn.multiclass import OneVsRestClassifier

        one = LogisticRegression(C=strength, solver=self.solver, random_state=seed)
        return OneVsRestClassifier(one) if self.solver == "liblinear" and classes > 2 else one
