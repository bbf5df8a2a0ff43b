"""What all tasks share."""

import copy
import weakref

import numpy as np
import pytest
import torch

from attest.data.batches.batch import Batch
from attest.models.encoders import SourceToToken, StructuredSelfAttention
from attest.models.heads import PairClassifier, SentenceClassifier
from attest.models.word_vectors import WordVectors
from attest.training.tasks import Classification

BATCH = Batch((torch.tensor([[2, 3], [4, 0]]),), torch.tensor([0, 1]), np.arange(2))


class Penalised(SourceToToken):
    """An encoder of a user's own, whose auxiliary loss is there in evaluations too."""

    def encode(self, x_ND, layout):
        values = x_ND * 2
        self.values = weakref.ref(values)
        self.auxiliary_loss = 1 + values.square().sum()
        return super().encode(x_ND, layout)


def penalised_task(trainable=False):
    words = WordVectors(torch.randn(6, 3), 4, trainable=trainable, unknown_range=0.1, sparse=False)
    return Classification(words, Penalised(3), SentenceClassifier(3, 2, hidden_size=4), torch.optim.SGD, 0.0)


def test_an_evaluation_collects_no_auxiliary_losses():
    task = penalised_task()
    task.eval()(BATCH)
    assert not task.auxiliary_losses
    task.train()(BATCH)
    assert len(task.auxiliary_losses) == 1
    loss = task.training_step(BATCH, 0)
    torch.testing.assert_close(loss, task.loss(task(BATCH), BATCH) + task.encoder.auxiliary_loss)


def test_a_task_with_a_penalty_can_be_copied_after_a_step():
    task = penalised_task(trainable=True)
    task.training_step(BATCH, 0).backward()
    copied = copy.deepcopy(task)
    assert copied(BATCH).equal(task(BATCH))


def test_a_task_holds_no_graph_after_a_step():
    task = penalised_task(trainable=True)
    loss = task.training_step(BATCH, 0)
    assert task.encoder.values() is not None
    del loss
    assert task.encoder.values() is None


def test_gradients_are_clipped_for_both_sides_of_a_pair_together():
    """Without packing too, the encoder is called once a step."""
    words = WordVectors(torch.randn(6, 3), 4, trainable=False, unknown_range=0.1, sparse=False)
    encoder = StructuredSelfAttention(3, 2, attention_size=5, hops=2, clip=1e-4)
    task = Classification(words, encoder, PairClassifier(encoder.width, 2, hidden_size=4), torch.optim.SGD, 0.0)
    sides = torch.tensor([[2, 3], [4, 0]]), torch.tensor([[5, 0, 0], [4, 3, 2]])
    largest = []
    for packed in (True, False):
        task.packed = packed
        task.zero_grad()
        task.training_step(Batch(sides, torch.tensor([0, 1]), np.arange(2)), 0).backward()
        largest.append(
            [layer.weight_ih_l0.grad.abs().max().item() for layer in (encoder.forward_lstm, encoder.backward_lstm)]
        )
    assert largest[0] == largest[1] == [pytest.approx(1e-4)] * 2
