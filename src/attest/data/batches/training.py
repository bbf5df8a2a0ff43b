"""Samplers: the examples of each training batch, as a pure function of (seed, step), so that runs can be resumed.

Legend: N examples of a split.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import torch

from attest.data.batches.batch import Batch
from attest.data.batches.device import batches_on
from attest.data.splits.split import Split
from attest.system.random_streams import numpy_generator


def shuffled_order(size: int, seed: int, epoch: int) -> np.ndarray:
    """Return the random order of `size` examples in an epoch."""
    return numpy_generator(seed, "order of examples", epoch).permutation(size)


class TrainingBatches(ABC):
    """An iterable over the training batches from step `start` up to, not including, step `stop`."""

    def __init__(self, split: Split, stop: int = 0) -> None:
        self.split, self.start, self.stop = split, 0, stop
        self.device = torch.device("cpu")
        """The device of the batches."""

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

    def epochs_of(self, steps: int) -> float:
        """Return the number of passes over the data that `steps` steps make."""
        return steps / self.steps_per_epoch

    @abstractmethod
    def examples(self, step: int) -> np.ndarray:
        """Return the positions of the examples in the batch of `step`, which counts from 0."""

    def __iter__(self) -> Iterator[Batch]:
        """Yield the batches from step `start` up to, not including, step `stop`, on the device of the batches."""
        steps = range(self.start, self.stop)
        yield from batches_on(self.device, self.split, self.examples, steps, self.steps_per_epoch)

    def __len__(self) -> int:
        """Return `stop`, the number of batches of the whole training, and not that of the batches from `start` on.

        A training that resumes continues the count, and Lightning ends it at this number.
        """
        return self.stop

    def state_dict(self) -> dict[str, Any]:
        """Return no state: a checkpoint needs none, since batches follow from the seed and the step."""
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        del state  # the caller sets `start` by the number of finished steps


class ShuffledBatches(TrainingBatches):
    """Batches in an order that is drawn again for each epoch."""

    def __init__(self, split: Split, seed: int, stop: int = 0) -> None:
        super().__init__(split, stop)
        self.seed = seed
        self._orders: dict[int, Any] = {}

    @abstractmethod
    def draw_order(self, epoch: int) -> Any:
        """Return what `examples` needs of an epoch: the order of examples or, in `SortedBatches`, a list of batches."""

    def epoch_orders(self, epochs: Iterable[int]) -> dict[int, Any]:
        """Return `draw_order` of each epoch by its number.

        The orders are kept until the next call, so that the steps of an epoch draw its order once.
        """
        self._orders = {
            epoch: self._orders[epoch] if epoch in self._orders else self.draw_order(epoch) for epoch in epochs
        }
        return self._orders


class UnsortedBatches(ShuffledBatches):
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

    def epochs_of(self, steps: int) -> float:
        return steps * self.batch_size / len(self.split)

    def draw_order(self, epoch: int) -> np.ndarray:
        return shuffled_order(len(self.split), self.seed, epoch)

    def examples(self, step: int) -> np.ndarray:
        size = len(self.split)
        places = np.arange(step * self.batch_size, (step + 1) * self.batch_size)
        orders = self.epoch_orders(range(int(places[0]) // size, int(places[-1]) // size + 1))
        return np.concatenate([order[places[places // size == epoch] % size] for epoch, order in orders.items()])


class BatchesInOrder(TrainingBatches):
    """Batches in the order of the file, equal in each epoch. Examples that do not fill the last batch are left out."""

    def __init__(self, split: Split, batch_size: int, stop: int = 0) -> None:
        super().__init__(split, stop)
        self.batch_size = min(batch_size, len(split))

    @property
    def steps_per_epoch(self) -> int:
        return len(self.split) // self.batch_size

    @property
    def examples_per_step(self) -> float:
        return self.batch_size

    def examples(self, step: int) -> np.ndarray:
        first = step % self.steps_per_epoch * self.batch_size
        return np.arange(first, first + self.batch_size)
