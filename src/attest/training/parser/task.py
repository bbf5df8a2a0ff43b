"""Train a span scorer to give the trees of treebanks a high probability among all binary trees of a sentence."""

from typing import Any, ClassVar

import torch
from torch import Tensor

from attest.syntax.parsers.chart import negative_log_likelihood
from attest.syntax.parsers.span_scorer import SpanScorer
from attest.training.learner import Learner
from attest.training.optim.gradients import clip_grad_norm
from attest.training.parser.batches import TreeBatch

MAX_GRAD_NORM = 5.0


class ParserTask(Learner):
    """The training of a span scorer with Adam, whose learning rate falls linearly to 0.

    The loss is the sum of -log p(tree) over the sentences of a batch, divided by the number of their words.
    """

    measure: ClassVar[str] = "f1"

    def __init__(self, scorer: SpanScorer, learning_rate: float, steps: int) -> None:
        super().__init__()
        self.scorer, self.learning_rate, self.steps = scorer, learning_rate, steps

    def training_step(self, batch: TreeBatch, batch_idx: int) -> Tensor:
        scores_BKK = self.scorer(batch.rows_BTF, batch.length_B)
        loss = negative_log_likelihood(scores_BKK, batch.gold_BKK, batch.length_B).sum() / batch.length_B.sum()
        self.loss_sum += loss.detach()
        return loss

    def clip_gradients(self) -> Tensor:
        return clip_grad_norm(self.parameters(), MAX_GRAD_NORM)

    def configure_optimizers(self) -> Any:
        optimizer = torch.optim.Adam(self.parameters(), lr=self.learning_rate)
        falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, self.steps)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": falling, "interval": "step"}}
