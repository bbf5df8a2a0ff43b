"""The relation between two sentences, each encoded by the same encoder (Bowman et al. 2016).

Legend: B batch, C classes.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import Tensor

from attest.attention import Layout
from attest.batching import Batch
from attest.corpus import PADDING
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
        packed: bool = True,
    ) -> None:
        super().__init__()
        self.words, self.encoder, self.head = words, encoder, head
        self.make_optimizer, self.weight_decay, self.packed = make_optimizer, weight_decay, packed
        # Sums since the last evaluation: on the device, so that no step waits for them, and in the checkpoint.
        self.loss_sum: Tensor
        self.correct_sum: Tensor
        self.register_buffer("loss_sum", torch.zeros(()))
        self.register_buffer("correct_sum", torch.zeros(()))

    def forward(self, batch: Batch) -> Tensor:
        """Logits (B, C)."""
        premise, hypothesis = self.encode(batch)
        return self.head(premise, hypothesis)

    def encode(self, batch: Batch) -> Iterable[Tensor]:
        """Sentence vectors (B, W): first of all premises, then of all hypotheses."""
        if not self.packed:
            return [self.encode_rows(tokens) for tokens in batch.sentences]
        time = max(tokens.shape[1] for tokens in batch.sentences)
        together = torch.cat([F.pad(tokens, (0, time - tokens.shape[1]), value=PADDING) for tokens in batch.sentences])
        return self.encode_rows(together).chunk(len(batch.sentences))

    def encode_rows(self, tokens_BT: Tensor) -> Tensor:
        half = torch.is_autocast_enabled(tokens_BT.device.type)
        layout = Layout(tokens_BT != PADDING, packed=self.packed, multiple=64 if half else 1)
        return self.encoder.encode(self.words(layout.rows(tokens_BT)), layout)

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
