"""Predictions of a finished run for examples without labels.

Legend: N examples, C classes or grades.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from attest.models.heads.relatedness import expected_grade


@dataclass(frozen=True, eq=False)
class Predictions:
    """The labels of examples and the probabilities behind them."""

    labels: Sequence[str] | Sequence[float]
    """(N,) the class of highest probability of each example or, for relatedness, its score."""
    probabilities: np.ndarray
    """(N, C) the probability of each class or grade."""
    classes: tuple[str, ...]
    """(C,) the names of the classes, in the order of the probabilities; empty for the grades of relatedness."""

    def __len__(self) -> int:
        return len(self.labels)


def predictions_of(outputs_NC: np.ndarray, classes: Sequence[str]) -> Predictions:
    """Return the predictions of a head's outputs, which are logits of `classes` or, if there are none, of grades."""
    logits_NC = torch.as_tensor(outputs_NC)
    probabilities_NC = logits_NC.softmax(-1).numpy()
    if classes:
        labels = [classes[int(number)] for number in logits_NC.argmax(-1)]
        return Predictions(labels, probabilities_NC, tuple(classes))
    return Predictions(expected_grade(logits_NC).tolist(), probabilities_NC, ())
