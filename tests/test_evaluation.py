import numpy as np
import torch

from attest.corpus import Ragged, Split
from attest.evaluation import outputs_of, outputs_of_all


class Echo(torch.nn.Module):
    """Outputs from the first token: class = token - 2."""

    def __init__(self) -> None:
        super().__init__()
        self.dropout = torch.nn.Dropout(0.9)
        self.table = torch.nn.Parameter(torch.eye(5)[:, 2:])

    def forward(self, batch):
        return self.dropout(self.table[batch.sentences[0][:, 0]])


def test_outputs_come_in_the_order_of_the_split_and_without_dropout():
    ragged = Ragged.of([[2, 9], [3], [4, 9, 9], [2]])
    split = Split((ragged,), np.array([0, 1, 0, 0]), np.arange(4), np.zeros(4, np.int16))
    module = Echo()
    outputs = outputs_of(module, split, batch_size=3)
    assert outputs.argmax(1).tolist() == [0, 1, 2, 0]
    assert outputs.max() == 1.0
    assert module.training


def test_a_split_under_two_names_is_run_once(monkeypatch):
    read = []
    monkeypatch.setattr("attest.evaluation.outputs_of", lambda module, split, batch_size: read.append(split) or split)
    first, second = object(), object()
    found = outputs_of_all(None, {"train": first, "dev": second, "test": second}, 3)  # type: ignore[arg-type]
    assert found == {"train": first, "dev": second, "test": second}
    assert read == [first, second]
