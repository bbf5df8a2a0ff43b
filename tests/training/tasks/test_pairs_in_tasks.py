"""A matcher where an encoder stands: it sees both sentences, and a set of single sentences is refused."""

import numpy as np
import pytest
import torch

from attest.data.batches.batch import Batch
from attest.errors import SettingsError
from attest.models.heads import Aggregation
from attest.models.matchers import DAM
from attest.models.word_vectors import WordVectors
from attest.training.optim.gradients import clip_grad_norm
from attest.training.tasks import Classification

FIRST, SECOND = torch.tensor([[2, 3, 4], [3, 0, 0]]), torch.tensor([[5, 2], [2, 4]])


def task_of(**settings):
    words = WordVectors(torch.randn(6, 3), 4, trainable=False, unknown_range=0.1, sparse=False)
    matcher = DAM(3, 4, initialisation="glorot", context="ngrams", span=2)
    return Classification(
        words, matcher, Aggregation(4, 3, hidden_size=4, initialisation="glorot"), torch.optim.SGD, 0.0, **settings
    )


def batch_of(*sentences):
    return Batch(sentences, torch.tensor([0, 1]), np.arange(2))


@pytest.mark.parametrize("packed", [True, False])
def test_the_vectors_of_a_task_are_those_of_the_matcher(packed):
    task = task_of(packed=packed)
    x, y = task.words(FIRST.flatten()).reshape(2, 3, 3), task.words(SECOND.flatten()).reshape(2, 2, 3)
    known = task.encoder.match(x, FIRST != 0, y, SECOND != 0)
    for one, other in zip(task.encode(batch_of(FIRST, SECOND)), known, strict=True):
        torch.testing.assert_close(one, other)
    assert task(batch_of(FIRST, SECOND)).shape == (2, 3)


def test_one_sentence_is_not_matched_with_another_example():
    with pytest.raises(SettingsError, match="DAM compares the two sentences of a pair, but .* choose an encoder"):
        task_of().encode(batch_of(FIRST))


@pytest.mark.parametrize("sparse", [False, True])
def test_gradients_are_scaled_together(sparse):
    table, layer = torch.nn.Embedding(3, 1, sparse=sparse), torch.nn.Linear(1, 1, bias=False)
    for module in (table, layer):
        torch.nn.init.ones_(module.weight)
    (2 * layer(table(torch.tensor([1, 1])))).sum().backward()
    parameters = [*table.parameters(), *layer.parameters()]
    clip_grad_norm(parameters, 100.0)
    assert [parameter.grad.to_dense().tolist() for parameter in parameters] == [[[0], [4], [0]], [[4]]]
    clip_grad_norm(parameters, 32**0.5 / 2)
    for parameter, known in zip(parameters, ([[0.0], [2.0], [0.0]], [[2.0]]), strict=True):
        torch.testing.assert_close(parameter.grad.to_dense(), torch.tensor(known))
