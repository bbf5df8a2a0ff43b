"""The base class of all modules that are trained: a module with a loss, an optimiser and a measure of success.

This module does not import Lightning, so that using a finished run does not load it.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import torch
from torch import Tensor, nn


class Learner(nn.Module, ABC):
    """A module with its loss and optimiser. The methods that Lightning calls have Lightning's names."""

    measure: ClassVar[str]
    """The name of the metric that selects the best weights, such as accuracy: those with the highest dev/accuracy."""

    def __init__(self) -> None:
        super().__init__()
        # The sum of losses since the last evaluation: a buffer, so that no step waits for a copy from the device and
        # checkpoints hold it.
        self.loss_sum: Tensor
        self.register_buffer("loss_sum", torch.zeros(()))

    @abstractmethod
    def training_step(self, batch: Any, batch_idx: int) -> Tensor:
        """Return the loss of a batch."""

    @abstractmethod
    def configure_optimizers(self) -> Any:
        """Return the optimiser, or another result that Lightning accepts from a method of this name."""

    @abstractmethod
    def clip_gradients(self) -> Tensor | None:
        """Clip the gradients of a step in place, and return their norm before; None if gradients are not clipped."""

    def pop_training_means(self, steps: int) -> dict[str, float]:
        """Return means over the `steps` training steps since the last evaluation, such as train/loss, and reset their
        sums to 0."""
        mean = float(self.loss_sum) / steps
        self.loss_sum.zero_()
        return {"train/loss": mean}
