"""Learners for Lightning. Only what trains imports this: Lightning takes longer to load than all else together."""

from collections.abc import Mapping
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor

from attest.training.learner import Learner


class LightningLearner(pl.LightningModule):
    """A learner as Lightning trains it. Its weights have the learner's own names, in checkpoints too."""

    def __init__(self, learner: Learner) -> None:
        super().__init__()
        self.learner = learner

    def training_step(self, batch: Any, batch_idx: int) -> Tensor:
        return self.learner.training_step(batch, batch_idx)

    def configure_optimizers(self) -> Any:
        return self.learner.configure_optimizers()

    def configure_gradient_clipping(self, optimizer: torch.optim.Optimizer, *limits: Any, **named_limits: Any) -> None:
        self.learner.clip_gradients()

    def transfer_batch_to_device(self, batch: Any, device: torch.device, dataloader_idx: int) -> Any:
        return batch.to(device)

    def state_dict(self, *arguments: Any, **options: Any) -> Any:
        return self.learner.state_dict(*arguments, **options)

    def load_state_dict(self, state_dict: Mapping[str, Any], *arguments: Any, **options: Any) -> Any:
        return self.learner.load_state_dict(state_dict, *arguments, **options)
