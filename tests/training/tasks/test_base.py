"""What all tasks share."""

import numpy as np
import torch

from attest.data.batch import Batch
from attest.models.encoders import SourceToToken
from attest.models.heads import SentenceClassifier
from attest.models.word_vectors import WordVectors
from attest.training.tasks import Classification


class Penalised(SourceToToken):
    """An encoder of a user's own, whose auxiliary loss is there in evaluations too."""

    def encode(self, x_ND, layout):
        self.auxiliary_loss = x_ND.new_ones(())
        return super().encode(x_ND, layout)


def test_an_evaluation_collects_no_auxiliary_losses():
    words = WordVectors(torch.randn(6, 3), 4, trainable=False, unknown_range=0.1, sparse=False)
    task = Classification(words, Penalised(3), SentenceClassifier(3, 2, hidden_size=4), torch.optim.SGD, 0.0)
    batch = Batch((torch.tensor([[2, 3], [4, 0]]),), torch.tensor([0, 1]), np.arange(2))
    task.eval()(batch)
    assert not task.penalties
    loss = task.train().training_step(batch, 0)
    assert len(task.penalties) == 1
    assert loss > 1
