"""Samplers: the examples of each training batch, as a pure function of (seed, step), so that runs can be resumed.

Legend: N examples of a split.
"""

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import torch

from attest.config.settings import Protocol
from attest.data.batch import Batch
from attest.data.resident import batches_on
from attest.data.split import Split
from attest.system.chance import generator


def shuffled_order(size: int, seed: int, epoch: int) -> np.ndarray:
    """Return the random order of `size` examples in an epoch."""
    return generator(seed, "order of examples", epoch).permutation(size)


class TrainingBatches(ABC):
    """An iterable over the training batches from step `start` up to, not including, step `stop`."""

    def __init__(self, split: Split, seed: int, stop: int = 0) -> None:
        self.split, self.seed, self.start, self.stop = split, seed, 0, stop
        self.device = torch.device("cpu")
        """The device of the batches."""
        self._orders: dict[int, Any] = {}

    @property
    @abstractmethod
    def steps_per_epoch(self) -> int:
        """The number of steps in a pass over the data."""

    @property
    @abstractmethod
    def examples_per_step(self) -> float:
        """The average number of examples in a batch."""

    def steps_for(self, epochs: float) -> int:
        """Return the number of steps that complete `epochs` passes over the data."""
        return math.ceil(epochs * self.steps_per_epoch)

    @abstractmethod
    def examples(self, step: int) -> np.ndarray:
        """Return the positions of the examples in the batch of `step`, which counts from 0."""

    @abstractmethod
    def draw_order(self, epoch: int) -> Any:
        """Return what `examples` needs of an epoch: the order of examples or, in `SortedBatches`, a list of batches."""

    def epoch_orders(self, epochs: Iterable[int]) -> dict[int, Any]:
        """Return `draw_order` of each epoch by its number, drawn only if the step before did not need that epoch."""
        self._orders = {
            epoch: self._orders[epoch] if epoch in self._orders else self.draw_order(epoch) for epoch in epochs
        }
        return self._orders

    def __iter__(self) -> Iterator[Batch]:
        steps = range(self.start, self.stop)
        yield from batches_on(self.device, self.split, self.examples, steps, self.steps_per_epoch)

    def __len__(self) -> int:
        return self.stop

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        del state  # the caller sets `start` by the number of finished steps


class UnsortedBatches(TrainingBatches):
    """Random batches of equal size, as in the DiSAN authors' code: a batch may span the border of two epochs."""

    def __init__(self, split: Split, batch_size: int, seed: int, stop: int = 0) -> None:
        super().__init__(split, seed, stop)
        self.batch_size = min(batch_size, len(split))

    @property
    def steps_per_epoch(self) -> int:
        """The number of whole batches in a pass over the data."""
        return len(self.split) // self.batch_size

    @property
    def examples_per_step(self) -> float:
        return self.batch_size

    def steps_for(self, epochs: float) -> int:
        return math.ceil(epochs * len(self.split) / self.batch_size)

    def draw_order(self, epoch: int) -> np.ndarray:
        return shuffled_order(len(self.split), self.seed, epoch)

    def examples(self, step: int) -> np.ndarray:
        size = len(self.split)
        places = np.arange(step * self.batch_size, (step + 1) * self.batch_size)
        orders = self.epoch_orders(range(int(places[0]) // size, int(places[-1]) // size + 1))
        return np.concatenate([order[places[places // size == epoch] % size] for epoch, order in orders.items()])


class BatchesInOrder(TrainingBatches):
    """Batches in the order of the file, equal in each epoch. Examples that do not fill the last batch are left out."""

    def __init__(self, split: Split, batch_size: int, seed: int, stop: int = 0) -> None:
        super().__init__(split, seed, stop)
        self.batch_size = min(batch_size, len(split))

    @property
    def steps_per_epoch(self) -> int:
        return len(self.split) // self.batch_size

    @property
    def examples_per_step(self) -> float:
        return self.batch_size

    def draw_order(self, epoch: int) -> np.ndarray:
        return np.arange(len(self.split))

    def examples(self, step: int) -> np.ndarray:
        first = step % self.steps_per_epoch * self.batch_size
        return np.arange(first, first + self.batch_size)


class SortedBatches(TrainingBatches):
    """Batches of examples with similar keys, such as lengths, in random order.

    `key_N` holds the key of each example. Examples are sorted by it and, in each epoch, shuffled among equal keys. A
    batch begins at each position of the sorted examples in `starts`, so all epochs have the same number of batches.
    """

    def __init__(self, split: Split, seed: int, stop: int, key_N: np.ndarray, starts: Iterable[int]) -> None:
        super().__init__(split, seed, stop)
        self.key_N, self.borders = key_N, [*starts, len(split)]

    @property
    def steps_per_epoch(self) -> int:
        return len(self.borders) - 1

    @property
    def examples_per_step(self) -> float:
        return len(self.split) / self.steps_per_epoch

    def draw_order(self, epoch: int) -> list[np.ndarray]:
        """Return the batches of an epoch, each as the positions of its examples, in random order."""
        shuffled = shuffled_order(len(self.split), self.seed, epoch)
        by_key = shuffled[np.argsort(self.key_N[shuffled], kind="stable")]
        numbers = generator(self.seed, "order of batches", epoch).permutation(self.steps_per_epoch)
        return [by_key[self.borders[number] : self.borders[number + 1]] for number in numbers]

    def examples(self, step: int) -> np.ndarray:
        epoch, number = divmod(step, self.steps_per_epoch)
        return self.epoch_orders([epoch])[epoch][number]


class BatchesByLength(SortedBatches):
    """Batches of examples with similar lengths.

    With `words`, a batch holds as many examples as have at most `words` words in total, and at least one example.
    Without it, a batch holds `batch_size` examples, and the last of an epoch may hold fewer.
    """

    def __init__(self, split: Split, batch_size: int, seed: int, stop: int = 0, *, words: int | None = None) -> None:
        words_N = split.word_counts()
        starts = range(0, len(split), batch_size) if words is None else batch_starts(np.sort(words_N), words)
        super().__init__(split, seed, stop, words_N, starts)


class BatchesOfEqualLengths(SortedBatches):
    """Batches of examples with equal lengths; for pairs, both lengths are equal.

    A batch holds at most `batch_size` examples. Since most lengths are rare, most batches are smaller.
    """

    def __init__(self, split: Split, batch_size: int, seed: int, stop: int = 0) -> None:
        _, kind_N, number = np.unique(split.sentence_lengths(), axis=0, return_inverse=True, return_counts=True)
        ends = np.cumsum(number)
        starts = itertools.chain.from_iterable(map(range, ends - number, ends, itertools.repeat(batch_size)))
        super().__init__(split, seed, stop, kind_N, starts)


class EvaluationBatches:
    """Batches that hold every example once, sorted by length, so that there is little padding.

    Order and batch size change the speed, but no result.
    """

    def __init__(self, split: Split, batch_size: int, device: torch.device) -> None:
        self.split, self.batch_size, self.device = split, batch_size, device
        self.order_N = np.argsort(split.max_lengths(), kind="stable")

    def __iter__(self) -> Iterator[Batch]:
        number = -(-len(self.split) // self.batch_size)
        return batches_on(self.device, self.split, self.examples, range(number), number)

    def examples(self, step: int) -> np.ndarray:
        """Return the positions of the examples in a batch."""
        return self.order_N[step * self.batch_size : (step + 1) * self.batch_size]


def batch_starts(sorted_words: np.ndarray, words: int) -> list[int]:
    """Return the first position of each batch if batches are filled in order, each with at most `words` words."""
    total, starts, done = np.cumsum(sorted_words), [], 0
    while done < len(total):
        starts.append(done)
        before = int(total[done - 1]) if done else 0
        done = max(done + 1, int(np.searchsorted(total, before + words, side="right")))
    return starts


def training_batches(split: Split, protocol: Protocol, seed: int) -> TrainingBatches:
    """Return the batches that the protocol asks for, with `stop` set to its number of steps."""
    if protocol.batches == "unsorted":
        batches: TrainingBatches = UnsortedBatches(split, protocol.batch_size, seed)
    elif protocol.batches == "in_order":
        batches = BatchesInOrder(split, protocol.batch_size, seed)
    elif protocol.batches == "equal_lengths":
        batches = BatchesOfEqualLengths(split, protocol.batch_size, seed)
    else:
        batches = BatchesByLength(split, protocol.batch_size, seed, words=protocol.batch_words)
    ends = [] if protocol.steps is None else [protocol.steps]
    if protocol.epochs is not None:
        ends.append(batches.steps_for(protocol.epochs))
    batches.stop = min(ends)
    return batches
