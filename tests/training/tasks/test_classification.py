import numpy as np
import pytest
import torch

from attest.data.splits.split import Ragged, Split
from attest.training.tasks import Classification

LOGITS = torch.eye(3)[[0, 1, 2, 0]]
SPLIT = Split(
    (Ragged.from_lists([[2], [3], [4], [2]]),), np.array([0, 1, 0, 0]), np.array([10, 11, 13, 17]),
    np.array([0, 1, 1, 1], np.int16),
)  # fmt: skip


def test_metrics_by_hand():
    metrics = Classification.metrics("test", LOGITS, SPLIT, ["fiction", "travel"])
    assert metrics["test/accuracy"] == 75.0
    assert metrics["test/accuracy/fiction"] == 100.0
    assert metrics["test/accuracy/travel"] == pytest.approx(66.6667, abs=1e-4)
    right, wrong = -np.log(np.e / (np.e + 2)), -np.log(1 / (np.e + 2))
    assert metrics["test/loss"] == pytest.approx((3 * right + wrong) / 4, rel=1e-6)


def test_predictions_name_official_rows():
    kept = Classification.predictions(LOGITS, SPLIT)
    assert {name: array.tolist() for name, array in kept.items()} == {
        "rows": [10, 11, 13, 17], "lengths": [[1]] * 4, "labels": [0, 1, 0, 0], "predictions": [0, 1, 2, 0],
    }  # fmt: skip
