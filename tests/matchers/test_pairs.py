"""Scores of pairs in blocks against the hidden layer as a whole."""

import pytest
import torch
from torch.testing import assert_close

from attest.matchers import pairs


@pytest.mark.parametrize("block", [1, 100, 2**18])
@pytest.mark.parametrize("shape", [(2, 5, 3, 4), (1, 1, 1, 1), (3, 4, 7, 2)])
def test_values_and_gradients(monkeypatch, block, shape):
    monkeypatch.setattr(pairs, "BLOCK", block)
    batch, first, second, hidden = shape
    inputs = [
        torch.randn(size, dtype=torch.float64)
        for size in ((batch, first, hidden), (batch, second, hidden), (batch, hidden))
    ]
    inputs = [value.requires_grad_() for value in inputs]
    a, b, w = inputs
    known = ((a[:, :, None] + b[:, None]).relu() * w[:, None, None]).sum(-1)
    found = pairs.pair_scores(a, b, w)
    assert_close(found, known)
    into = torch.randn_like(known)
    for one, other in zip(
        torch.autograd.grad(found, inputs, into), torch.autograd.grad(known, inputs, into), strict=True
    ):
        assert_close(one, other)
