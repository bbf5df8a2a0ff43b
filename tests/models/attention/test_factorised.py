"""Factorised attention against the explicit tensor of all pairs and all features.

Prime sizes: 3 sentences, 5 places, 7 features.
"""

import math

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from attest.models.attention import Layout, allowed_keys, attend_factorised, factorised_weights, pair_and_word_factors
from attest.models.attention.factorised import sigmoid_factors

DIRECTIONS = ("forward", "backward", "diagonal", "none")
LENGTHS = torch.tensor([5, 3, 0])
LAYOUT = Layout(torch.arange(5) < LENGTHS[:, None], packed=True)


def explicit(queries, keys, scores, values, direction, pair_weight):
    """s (B, T, D): the softmax over i of log a_ji + l_ik for each j and k, which is a tensor (B, Q, K, D)."""
    real = LAYOUT.grid_mask_BT
    allowed = allowed_keys(direction, 5) & real[:, None, :] & real[:, :, None]
    products = torch.einsum("bqd,bkd->bqk", queries, keys) / math.sqrt(queries.shape[-1])
    logs = products if pair_weight == "exp" else torch.nn.functional.logsigmoid(products)
    logits = (logs[..., None] + scores[:, None]).masked_fill(~allowed[..., None], -1e300)
    weights = logits.softmax(2).masked_fill(~allowed[..., None], 0.0)
    return torch.einsum("bqkd,bkd->bqd", weights, values)


def both(inputs, direction, pair_weight):
    """Values and gradients: ours, and those of the explicit formula in fp64."""
    results = []
    for dtype in (inputs[0].dtype, torch.float64):
        leaves = [x.to(dtype).clone().requires_grad_() for x in inputs]
        if dtype == inputs[0].dtype and not results:
            rows = (LAYOUT.rows(x) for x in leaves)
            s = LAYOUT.grid(attend_factorised(*rows, LAYOUT, direction=direction, pair_weight=pair_weight))
        else:
            s = explicit(*leaves, direction, pair_weight)
        s.sin().sum().backward()
        results.append([s, *(leaf.grad for leaf in leaves)])
    return results


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("pair_weight", ["sigmoid", "exp"])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-6)])
def test_equals_the_explicit_formula(direction, pair_weight, dtype, tolerance):
    ours, expected = both(torch.randn(4, 3, 5, 7, dtype=dtype).unbind(), direction, pair_weight)
    for got, wanted in zip(ours, expected, strict=True):
        torch.testing.assert_close(got.double(), wanted, rtol=tolerance, atol=tolerance)


def test_by_hand():
    # a = sigmoid(0) = 1/2 for all pairs, exp(l) = 1, 2, 3; the third word sees the first two: (1 * 6 + 2 * 9) / 3.
    layout = Layout(torch.ones(1, 3, dtype=torch.bool), packed=True)
    zeros, scores = torch.zeros(3, 1), torch.tensor([[1.0], [2.0], [3.0]]).log()
    values = torch.tensor([[6.0], [9.0], [12.0]])
    got = attend_factorised(zeros, zeros, scores, values, layout, direction="forward", pair_weight="sigmoid")
    torch.testing.assert_close(got, torch.tensor([[0.0], [6.0], [8.0]]))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("pair_weight", ["sigmoid", "exp"])
def test_steep_scores_change_nothing(direction, pair_weight):
    """exp of these scores is no number in fp32; some words see only words that lie 140 below the highest."""
    inputs = torch.randn(4, 3, 5, 7).unbind()
    scores = torch.tensor([0.0, 3.0, 70.0, 139.0, 140.0])[None, :, None].expand(3, 5, 7).clone()
    scores[:, :, 1] = scores[:, :, 1].flip(1)
    scores[:, :, 2:] += 500.0
    scores[:, :, 5:] -= 2000.0
    ours, expected = both((*inputs[:2], scores, inputs[3]), direction, pair_weight)
    for got, wanted in zip(ours, expected, strict=True):
        torch.testing.assert_close(got.double(), wanted, rtol=1e-5, atol=1e-5)


STEEP = [(-10, 0, 0), (-80, 0, 0), (-90, 0, 0), (-110, 0, 0)]
STEEP += [(-30, -120, 0), (-40, -100, 0), (-60, -60, 0), (-20, -140, 0)]


@pytest.mark.parametrize(("product", "first_score", "second_score"), STEEP)
@pytest.mark.parametrize("pair_weight", ["sigmoid", "exp"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
def test_a_word_that_sees_one_word_gets_that_word(product, first_score, second_score, pair_weight, dtype):
    """Forward, the second word sees the first one alone, so that s = v_0, however small its sigmoid is."""
    layout = Layout(torch.ones(1, 2, dtype=torch.bool), packed=True)
    queries, keys = torch.tensor([[0.0] * 4, [1.0] * 4]), torch.tensor([[product / 2.0] * 4, [0.0] * 4])
    scores, values = torch.tensor([[first_score] * 4, [second_score] * 4]), torch.full((2, 4), 3.0)
    leaves = [x.to(dtype).requires_grad_() for x in (queries, keys, scores, values)]
    s = attend_factorised(*leaves, layout, direction="forward", pair_weight=pair_weight)
    torch.testing.assert_close(s, torch.tensor([[0.0] * 4, [3.0] * 4]).to(dtype), rtol=1e-6, atol=0.0)
    s.sum().backward()
    torch.testing.assert_close(leaves[3].grad, torch.tensor([[1.0] * 4, [0.0] * 4]).to(dtype), rtol=1e-6, atol=0.0)
    for leaf in leaves[:3]:
        torch.testing.assert_close(leaf.grad, torch.zeros_like(leaf), rtol=0.0, atol=1e-5)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("shift", [-15.0, -17.0, -30.0, -200.0])
def test_small_products_change_nothing(direction, shift):
    """Some queries have only small products, others also large ones, and padding has none."""
    queries, keys, scores, values = torch.randn(4, 3, 5, 7).unbind()
    queries[:, :3, 0], keys[:, :, 0] = shift * math.sqrt(7), 1.0
    ours, expected = both((queries, keys, scores, values), direction, "sigmoid")
    for got, wanted in zip(ours, expected, strict=True):
        torch.testing.assert_close(got.double(), wanted, rtol=1e-4, atol=1e-5 * abs(shift))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_sigmoids_that_are_not_small_are_torchs_own_bit_for_bit(direction):
    products, allowed = 3 * torch.randn(3, 5, 5), allowed_keys(direction, 5).expand(3, 5, 5)
    products.requires_grad_()
    expected = products.sigmoid().masked_fill(~allowed, 0.0)
    got = sigmoid_factors(products, allowed)
    assert got.equal(expected)
    weights = torch.randn(3, 5, 5)
    gradients = [torch.autograd.grad((x * weights).sum(), products)[0] for x in (got, expected)]
    assert gradients[0].equal(gradients[1])


@pytest.mark.parametrize("pair_weight", ["sigmoid", "exp"])
def test_beyond_fp32_a_word_that_sees_only_vanishing_words_gets_zero(pair_weight):
    layout = Layout(torch.ones(1, 2, dtype=torch.bool), packed=True)
    queries, keys, values = (torch.randn(2, 1, requires_grad=True) for _ in range(3))
    scores = torch.tensor([[0.0], [200.0]], requires_grad=True)
    s = attend_factorised(queries, keys, scores, values, layout, direction="forward", pair_weight=pair_weight)
    assert s.tolist() == [[0.0], [0.0]]
    s.sum().backward()
    assert all(x.grad.isfinite().all() for x in (queries, keys, values, scores))


@pytest.mark.parametrize("pair_weight", ["sigmoid", "exp"])
def test_weights_are_distributions_that_give_the_same_words(pair_weight):
    inputs = torch.randn(4, 3, 5, 7).unbind()
    weights = factorised_weights(
        *pair_and_word_factors(*inputs[:3], direction="backward", lengths=LENGTHS, pair_weight=pair_weight)
    )
    expected = torch.tensor([[1.0, 1, 1, 1, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0]])
    torch.testing.assert_close(weights.sum(2), expected[..., None].expand(3, 5, 7))
    rows = (LAYOUT.rows(x) for x in inputs)
    s = attend_factorised(*rows, LAYOUT, direction="backward", pair_weight=pair_weight)
    torch.testing.assert_close(LAYOUT.grid(s), (weights * inputs[3][:, None]).sum(2))


def test_what_stands_in_the_padding_does_not_matter():
    layout = Layout(LAYOUT.mask_BT, packed=False)
    results = []
    for filling in (0.0, math.nan):
        torch.manual_seed(2)
        grids = [x.masked_fill(~layout.grid_mask_BT[..., None], filling) for x in torch.randn(4, 3, 5, 7).unbind()]
        leaves = [x.flatten(0, 1).requires_grad_() for x in grids]
        s = attend_factorised(*leaves, layout, direction="none", pair_weight="sigmoid")
        s.square().sum().backward()
        results.append([s, *(leaf.grad for leaf in leaves)])
    torch.testing.assert_close(results[0], results[1])
    assert results[0][0][~layout.real_N].eq(0).all()


class Largest(TorchDispatchMode):
    """Notes how many numbers the largest result of any operation holds, backwards too."""

    numbers = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, tuple | list) else (result,):
            if isinstance(tensor, torch.Tensor):
                self.numbers = max(self.numbers, tensor.numel())
        return result


def test_no_tensor_of_all_pairs_and_all_features():
    layout = Layout(torch.ones(2, 47, dtype=torch.bool), packed=True)
    leaves = [torch.randn(94, 19, requires_grad=True) for _ in range(4)]
    with Largest() as largest:
        attend_factorised(*leaves, layout, direction="forward", pair_weight="sigmoid").sum().backward()
    assert largest.numbers == 2 * 47 * 47


def test_an_unknown_function_of_pairs_is_refused():
    x = torch.randn(2, 3, 5)
    with pytest.raises(ValueError, match="pair_weight is 'tanh'; use one of sigmoid, exp"):
        pair_and_word_factors(x, x, x, direction="none", lengths=torch.tensor([3, 1]), pair_weight="tanh")
