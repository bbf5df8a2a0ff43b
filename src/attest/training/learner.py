"""What a schedule trains: a module that knows what it goes for and sums its losses."""

from abc import ABC, abstractmethod
from typing import ClassVar

import pytorch_lightning as pl
import torch
from torch import Tensor


class Learner(pl.LightningModule, ABC):
    measure: ClassVar[str]
    """What training goes for: dev/<measure> chooses the best weights, higher is better."""

    def __init__(self) -> None:
        super().__init__()
        # Since the last evaluation: on the device, so that no step waits for it, and in the checkpoint.
        self.loss_sum: Tensor
        self.register_buffer("loss_sum", torch.zeros(()))

    @abstractmethod
    def since_evaluation(self, steps: int) -> dict[str, float]:
        """Means over so many steps of training, train/loss among them; sums begin anew."""
