"""Which examples make up which batch: a pure function of (seed, step), so that a run can go on anywhere.

Legend: B examples of a batch, T tokens of the longest sentence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attest.corpus import PADDING, Split


@dataclass(frozen=True)
class Batch:
    """Padded sentences; each sentence of the pair is as wide as its own longest."""

    sentences: tuple[Tensor, ...]
    """Each (B, T) int64 tokens, padding behind them."""
    labels: Tensor
    """(B,)"""
    index: np.ndarray
    """(B,) positions in the split."""

    @property
    def masks(self) -> tuple[Tensor, ...]:
        """Each (B, T), True at tokens."""
        return tuple(tokens != PADDING for tokens in self.sentences)

    def to(self, device: torch.device) -> "Batch":
        return Batch(tuple(tokens.to(device) for tokens in self.sentences), self.labels.to(device), self.index)


def gather(split: Split, index: np.ndarray) -> Batch:
    """The examples at `index` as one batch."""
    return Batch(
        tuple(torch.from_numpy(ragged.padded(index)) for ragged in split.sentences),
        torch.from_numpy(split.labels[index]),
        index,
    )


def order(size: int, seed: int, epoch: int) -> np.ndarray:
    """The order of the examples in one epoch."""
    return np.random.default_rng([seed, epoch]).permutation(size)


class TrainingBatches:
    """Unsorted batches of one size, drawn without end: a batch may close one epoch and open the next.

    This is how the DiSAN authors iterate. The steps of one pass over the data are `steps_per_epoch`, rounded
    down. Iteration starts at `start` and ends before step `stop`.
    """

    def __init__(self, split: Split, batch_size: int, seed: int, stop: int) -> None:
        self.split, self.batch_size, self.seed, self.stop = split, min(batch_size, len(split)), seed, stop
        self.start = 0
        self._orders: dict[int, np.ndarray] = {}

    @property
    def steps_per_epoch(self) -> int:
        return max(1, len(self.split) // self.batch_size)

    def examples(self, step: int) -> np.ndarray:
        """Positions of the examples in the batch of `step`, counted from 0."""
        size = len(self.split)
        places = np.arange(step * self.batch_size, (step + 1) * self.batch_size)
        needed = range(int(places[0]) // size, int(places[-1]) // size + 1)
        self._orders = {epoch: self._orders.get(epoch, order(size, self.seed, epoch)) for epoch in needed}
        return np.concatenate([self._orders[epoch][places[places // size == epoch] % size] for epoch in needed])

    def __iter__(self) -> Iterator[Batch]:
        for step in range(self.start, self.stop):
            yield gather(self.split, self.examples(step))

    def __len__(self) -> int:
        return self.stop

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Nothing to load: where to start follows from the number of steps done."""


class EvaluationBatches:
    """Every example once, sentences of like length together; order and batch size change nothing but the speed."""

    def __init__(self, split: Split, batch_size: int) -> None:
        self.split, self.batch_size = split, batch_size

    def __iter__(self) -> Iterator[Batch]:
        by_length = np.argsort(self.split.lengths(), kind="stable")
        for start in range(0, len(by_length), self.batch_size):
            yield gather(self.split, by_length[start : start + self.batch_size])

    def __len__(self) -> int:
        return -(-len(self.split) // self.batch_size)
