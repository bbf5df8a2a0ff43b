import numpy as np
import pytest
import torch

from attest.corpus import Ragged, Split
from attest.evaluation import logits_of, metrics_of, predictions_of


class Echo(torch.nn.Module):
    """Logits from the first token: class = token - 2."""

    def __init__(self) -> None:
        super().__init__()
        self.dropout = torch.nn.Dropout(0.9)
        self.table = torch.nn.Parameter(torch.eye(5)[:, 2:])

    def forward(self, batch):
        return self.dropout(self.table[batch.sentences[0][:, 0]])


def split() -> Split:
    ragged = Ragged.of([[2, 9], [3], [4, 9, 9], [2]])
    return Split((ragged,), np.array([0, 1, 0, 0]), np.array([10, 11, 13, 17]), np.array([0, 1, 1, 1], np.int16))


def test_logits_come_in_the_order_of_the_split_and_without_dropout():
    module = Echo()
    logits = logits_of(module, split(), batch_size=3)
    assert logits.argmax(1).tolist() == [0, 1, 2, 0]
    assert logits.max() == 1.0
    assert module.training


def test_metrics_by_hand():
    logits = logits_of(Echo(), split(), batch_size=3)
    metrics = metrics_of("test", logits, split(), ["fiction", "travel"])
    assert metrics["test/accuracy"] == 75.0
    assert metrics["test/accuracy/fiction"] == 100.0
    assert metrics["test/accuracy/travel"] == pytest.approx(66.6667, abs=1e-4)
    right, wrong = -np.log(np.e / (np.e + 2)), -np.log(1 / (np.e + 2))
    assert metrics["test/loss"] == pytest.approx((3 * right + wrong) / 4, rel=1e-6)


def test_predictions_name_official_rows():
    kept = predictions_of(logits_of(Echo(), split(), 3), split())
    assert {name: array.tolist() for name, array in kept.items()} == {
        "rows": [10, 11, 13, 17], "labels": [0, 1, 0, 0], "predictions": [0, 1, 2, 0],
    }  # fmt: skip
