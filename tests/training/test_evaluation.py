import numpy as np
import torch

from attest.data.splits.split import Ragged, Split
from attest.training.outputs import outputs_of_split, outputs_of_splits


class Echo(torch.nn.Module):
    """Outputs from the first token: class = token - 2."""

    def __init__(self) -> None:
        super().__init__()
        self.dropout = torch.nn.Dropout(0.9)
        self.table = torch.nn.Parameter(torch.eye(5)[:, 2:])

    def forward(self, batch):
        return self.dropout(self.table[batch.sentences[0][:, 0]])


def test_outputs_come_in_the_order_of_the_split_and_without_dropout():
    ragged = Ragged.from_lists([[2, 9], [3], [4, 9, 9], [2]])
    split = Split((ragged,), np.array([0, 1, 0, 0]), np.arange(4), np.zeros(4, np.int16))
    module = Echo()
    outputs = outputs_of_split(module, split, batch_size=3)
    assert outputs.argmax(1).tolist() == [0, 1, 2, 0]
    assert outputs.max() == 1.0
    assert module.training


def test_examples_that_are_the_same_are_run_once():
    first, second = Ragged.from_lists([[2, 9], [3], [2, 9], [2], [3]]), Ragged.from_lists([[2], [2], [2], [2], [3]])
    split = Split((first, second), np.zeros(5), np.arange(5), np.zeros(5, np.int16))
    module, seen = Echo(), []
    module.register_forward_pre_hook(lambda module, batch: seen.append(len(batch[0].index)))
    assert outputs_of_split(module, split, batch_size=3).argmax(1).tolist() == [0, 1, 0, 0, 1]
    assert sum(seen) == 4
    chosen, like = split.distinct_examples
    assert (chosen.tolist(), like.tolist()) == ([0, 1, 3, 4], [0, 1, 0, 2, 3])


def test_other_phrases_make_another_example():
    tokens, offsets = np.array([2, 9, 2, 9, 2, 9]), np.array([0, 2, 4, 6])
    split = Split.from_sentences(Ragged(tokens, offsets, np.array([1, 0, 1, 1, 1, 0])))
    assert split.distinct_examples[1].tolist() == [0, 1, 0]


def test_a_split_under_two_names_is_run_once(monkeypatch):
    read = []
    monkeypatch.setattr(
        "attest.training.outputs.outputs_of_split",
        lambda module, split, batch_size, **more: read.append(split) or split,
    )
    first, second = object(), object()
    found = outputs_of_splits(None, {"train": first, "dev": second, "test": second}, 3)  # type: ignore[arg-type]
    assert found == {"train": first, "dev": second, "test": second}
    assert read == [first, second]


def test_what_is_known_is_not_run_again(monkeypatch):
    read = []
    monkeypatch.setattr(
        "attest.training.outputs.outputs_of_split",
        lambda module, split, batch_size, **more: read.append(split) or split,
    )
    splits = {"train": object(), "dev": (dev := object()), "test": dev, "other": object()}
    found = outputs_of_splits(None, splits, 3, {"dev": "known", "other": "too"})  # type: ignore[arg-type]
    assert found == {"train": splits["train"], "dev": "known", "test": "known", "other": "too"}
    assert read == [splits["train"]]
