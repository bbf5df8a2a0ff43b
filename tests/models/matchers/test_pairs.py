"""Scores of pairs in blocks against the hidden layer as a whole."""

import math

import pytest
import torch
from marks import needs_kernels
from torch.testing import assert_close

from attest.models.matchers import pairs
from attest.models.matchers.scores import FeedForwardScores


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


@pytest.mark.parametrize(("device", "items"), [("cpu", 1), ("meta", 262)])
def test_a_gpu_gets_larger_blocks_than_the_cache_of_a_processor(device, items):
    assert pairs.items_per_block(torch.empty(64, 20, 200, device=device)) == items


@needs_kernels
@pytest.mark.parametrize("shape", [(3, 9, 6, 37), (2, 1, 5, 16), (1, 4, 1, 3), (2, 0, 3, 4)])
def test_the_kernel_equals_torch_in_double_precision(shape):
    batch, first, second, hidden = shape
    inputs = [torch.randn(size) for size in ((batch, first, hidden), (batch, second, hidden), (batch, hidden))]
    into, results = torch.randn(batch, first, second), []
    for kind in (torch.float32, torch.float64):
        values = [value.to(kind).requires_grad_() for value in inputs]
        scores = pairs.pair_scores(*values)
        results.append([scores, *torch.autograd.grad(scores, values, into.to(kind))])
    for one, other in zip(*results, strict=True):
        assert_close(one.double(), other, rtol=1e-5, atol=1e-5)


@needs_kernels
def test_the_kernel_keeps_nan_to_its_item():
    a, b, w = torch.randn(2, 3, 20), torch.randn(2, 4, 20), torch.randn(2, 20)
    a[1, 2, 17] = math.nan
    lost = pairs.pair_scores(a, b, w).isnan().nonzero().tolist()
    assert lost == [[1, 2, j] for j in range(4)]


def test_scores_are_summed_up_with_weights_that_are_not_rounded():
    scores = FeedForwardScores(2, 3).eval()
    exact = 1 + 2**-12  # bf16 has 1 for it
    with torch.no_grad():
        for parameter in scores.parameters():
            parameter.zero_()
        scores.hidden.bias.fill_(1.0)
        scores.output.weight.fill_(exact)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = scores(torch.zeros(1, 1, 2), torch.zeros(1, 1, 2))
    assert found.item() == 3 * exact
