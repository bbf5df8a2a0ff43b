"""The adapter between learners and Lightning.

Only training imports this module, because Lightning takes longer to load than everything else together.
"""

from collections.abc import Mapping
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor

from attest.training.learner import Learner


class LightningLearner(pl.LightningModule):
    """A Lightning module that delegates to a learner. Checkpoints hold the weights under the learner's own names."""

    def __init__(self, learner: Learner) -> None:
        super().__init__()
        self.learner = learner
        self.clipped_norm: Tensor | None = None
        """The norm of the last step's gradients before they were clipped; None if they are not clipped."""

    def training_step(self, batch: Any, batch_idx: int) -> Tensor:
        return self.learner.training_step(batch, batch_idx)

    def configure_optimizers(self) -> Any:
        return self.learner.configure_optimizers()

    def configure_gradient_clipping(self, optimizer: torch.optim.Optimizer, *limits: Any, **named_limits: Any) -> None:
        self.clipped_norm = self.learner.clip_gradients()

    def transfer_batch_to_device(self, batch: Any, device: torch.device, dataloader_idx: int) -> Any:
        return batch.to(device)

    def state_dict(self, *arguments: Any, **options: Any) -> Any:
        return self.learner.state_dict(*arguments, **options)

    def load_state_dict(self, state_dict: Mapping[str, Any], *arguments: Any, **options: Any) -> Any:
        return self.learner.load_state_dict(state_dict, *arguments, **options)
