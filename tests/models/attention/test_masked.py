"""Softmax and sums over tokens only."""

import math

import pytest
import torch

from attest.models.attention import masked_softmax, masked_sum


def test_softmax_by_hand():
    scores = torch.tensor([0.0, math.log(3.0), 100.0])
    weights = masked_softmax(scores, torch.tensor([True, True, False]), dim=0)
    torch.testing.assert_close(weights, torch.tensor([0.25, 0.75, 0.0]))


def test_a_row_without_tokens_gives_zeros_and_no_gradient():
    scores = torch.randn(2, 3, requires_grad=True)
    mask = torch.tensor([[True, True, True], [False, False, False]])
    weights = masked_softmax(scores, mask, dim=1)
    weights.square().sum().backward()
    assert weights[1].eq(0).all()
    assert scores.grad is not None
    assert scores.grad[1].eq(0).all()


def test_poison_behind_the_mask_has_no_influence():
    scores = torch.tensor([0.0, math.nan, math.inf])
    assert masked_softmax(scores, torch.tensor([True, False, False]), dim=0).tolist() == [1.0, 0.0, 0.0]
    weights, values = torch.tensor([[[0.5], [0.0]]]), torch.tensor([[[3.0], [math.nan]]])
    assert masked_sum(weights, values, torch.tensor([[True, False]])).tolist() == [[1.5]]


@pytest.mark.parametrize(
    ("given", "made"),
    [(torch.bfloat16, torch.float32), (torch.float16, torch.float32), (torch.float64, torch.float64)],
)
def test_weights_are_in_fp32_at_least(given, made):
    assert masked_softmax(torch.zeros(2, dtype=given), torch.tensor([True, True]), dim=0).dtype == made


def test_nan_among_the_tokens_shows():
    assert masked_softmax(torch.tensor([math.nan, 0.0]), torch.tensor([True, True]), dim=0).isnan().all()
