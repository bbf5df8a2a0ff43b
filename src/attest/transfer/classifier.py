"""What all classifiers take and give.

Legend: N examples, W features.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np


class Labelled(NamedTuple):
    """Examples to learn from or to be judged by."""

    x_NW: np.ndarray
    y_N: np.ndarray

    def __len__(self) -> int:
        return len(self.y_N)

    def of(self, rows: np.ndarray) -> "Labelled":
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
