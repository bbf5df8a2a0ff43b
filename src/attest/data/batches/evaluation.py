"""All examples of a split, once and in batches, for an evaluation."""

from collections.abc import Iterator

import numpy as np
import torch

from attest.data.batches.batch import Batch
from attest.data.batches.device import batches_on
from attest.data.splits.split import Split


class EvaluationBatches:
    """Batches that hold every example once, sorted by length, so that there is little padding.

    Order and batch size change the speed, but no result beyond rounding.
    """

    def __init__(self, split: Split, batch_size: int, device: torch.device) -> None:
        self.split, self.batch_size, self.device = split, batch_size, device
        self.order_N = np.argsort(split.max_lengths(), kind="stable")

    def __iter__(self) -> Iterator[Batch]:
        batches = -(-len(self.split) // self.batch_size)
        return batches_on(self.device, self.split, self.examples, range(batches), batches)

    def examples(self, step: int) -> np.ndarray:
        """Return the positions of the examples in a batch."""
        return self.order_N[step * self.batch_size : (step + 1) * self.batch_size]
