"""The relation between two sentences, each encoded by the same encoder (Bowman et al. 2016).

Legend: B batch, C classes.
"""

from collections.abc import Callable
from typing import Any

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import Tensor

from attest.batching import Batch
from attest.encoders import Encoder
from attest.heads import PairClassifier
from attest.optim import parameter_groups
from attest.words import WordVectors

MakeOptimizer = Callable[[list[dict[str, Any]]], torch.optim.Optimizer]


class PairClassification(pl.LightningModule):
    """Word vectors, an encoder and a head under cross-entropy; the L2 penalty is the optimiser's weight decay."""

    def __init__(
        self,
        words: WordVectors,
        encoder: Encoder,
        head: PairClassifier,
        make_optimizer: MakeOptimizer,
        weight_decay: float,
    ) -> None:
        super().__init__()
        self.words, self.encoder, self.head = words, encoder, head
        self.make_optimizer, self.weight_decay = make_optimizer, weight_decay
        # Sums since the last evaluation: on the device, so that no step waits for them, and in the checkpoint.
        self.loss_sum: Tensor
        self.correct_sum: Tensor
        self.register_buffer("loss_sum", torch.zeros(()))
        self.register_buffer("correct_sum", torch.zeros(()))

    def forward(self, batch: Batch) -> Tensor:
        """Logits (B, C)."""
        premise, hypothesis = (
            self.encoder(self.words(tokens), mask) for tokens, mask in zip(batch.sentences, batch.masks, strict=True)
        )
        return self.head(premise, hypothesis)

    def training_step(self, batch: Batch, batch_idx: int) -> Tensor:
        logits_BC = self(batch)
        loss = F.cross_entropy(logits_BC, batch.labels)
        self.loss_sum += loss.detach()
        self.correct_sum += (logits_BC.detach().argmax(-1) == batch.labels).float().mean()
        return loss

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return self.make_optimizer(parameter_groups([self.encoder, self.head], [self.words.trained], self.weight_decay))

    def transfer_batch_to_device(self, batch: Batch, device: torch.device, dataloader_idx: int) -> Batch:
        return batch.to(device)
