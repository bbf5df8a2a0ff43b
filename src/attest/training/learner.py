"""What a schedule trains: a module that has a goal and sums its losses.

Nothing here loads Lightning, which a finished run does without.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import torch
from torch import Tensor, nn


class Learner(nn.Module, ABC):
    """A module with what training needs beside it. Methods that Lightning asks for too have the names of Lightning."""

    measure: ClassVar[str]
    """What training goes for: dev/<measure> chooses the best weights, higher is better."""

    def __init__(self) -> None:
        super().__init__()
        # Since the last evaluation: on the device, so that no step waits for it, and in the checkpoint.
        self.loss_sum: Tensor
        self.register_buffer("loss_sum", torch.zeros(()))

    @abstractmethod
    def training_step(self, batch: Any, batch_idx: int) -> Tensor:
        """Return the loss of a batch."""

    @abstractmethod
    def configure_optimizers(self) -> Any:
        """Return the optimiser, or what Lightning takes in place of it."""

    @abstractmethod
    def clip_gradients(self) -> None:
        """Clip the gradients of a step in place, if this learner does so."""

    @abstractmethod
    def since_evaluation(self, steps: int) -> dict[str, float]:
        """Means over so many steps of training, train/loss among them; sums begin anew."""
