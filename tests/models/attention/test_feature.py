"""Feature-wise attention against loops and by hand.

Prime sizes: 2 sentences, 5 words, 3 features.
"""

import math

import pytest
import torch

from attest.models.attention import (
    Layout,
    allowed_keys,
    attend_words,
    feature_attention,
    feature_weights,
    pair_and_word_factors,
)

DIRECTIONS = ("forward", "backward", "diagonal", "none")


def by_loops(keys, queries, values, direction, lengths, scale):
    """Equations 11 and 15, one number at a time."""
    batch, time, features = keys.shape
    result = torch.zeros_like(values)
    allowed = allowed_keys(direction, time)
    for b in range(batch):
        for j in range(int(lengths[b])):
            for k in range(features):
                sources = [i for i in range(int(lengths[b])) if allowed[j, i]]
                scores = [scale * math.tanh((keys[b, i, k] + queries[b, j, k]) / scale) for i in sources]
                total = sum(math.exp(score) for score in scores)
                for i, score in zip(sources, scores, strict=True):
                    result[b, j, k] += math.exp(score) / total * values[b, i, k]
    return result


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("scale", [1.0, 5.0])
def test_equals_the_loops(direction, scale):
    keys, queries, values = torch.randn(3, 2, 5, 3).unbind()
    lengths = torch.tensor([5, 3])
    got = feature_attention(keys, queries, values, direction=direction, lengths=lengths, scale=scale)
    torch.testing.assert_close(got, by_loops(keys, queries, values, direction, lengths, scale))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_one_score_for_all_features_equals_the_loops(direction):
    """w^T c tanh(...) + M, one number at a time."""
    keys, queries, values = torch.randn(3, 2, 5, 3).unbind()
    vector, lengths, scale, allowed = torch.randn(3), (5, 3), 2.0, allowed_keys(direction, 5)
    expected = torch.zeros_like(values)
    for b, length in enumerate(lengths):
        for j in range(length):
            scores = {
                i: sum(
                    float(vector[k]) * scale * math.tanh((keys[b, i, k] + queries[b, j, k]) / scale) for k in range(3)
                )
                for i in range(length)
                if allowed[j, i]
            }
            total = sum(math.exp(score) for score in scores.values())
            for i, score in scores.items():
                expected[b, j] += math.exp(score) / total * values[b, i]
    layout = Layout(torch.arange(5) < torch.tensor(lengths)[:, None], packed=True)
    rows = (layout.rows(x) for x in (keys, queries, values))
    got = attend_words(*rows, layout, direction=direction, scale=scale, vector_D=vector)
    torch.testing.assert_close(layout.grid(got), expected)


def test_by_hand():
    # Two words, one feature, c = 5: the second word sees the first alone, the first sees nobody.
    keys, queries = torch.zeros(1, 2, 1), torch.zeros(1, 2, 1)
    values = torch.tensor([[[7.0], [11.0]]])
    got = feature_attention(keys, queries, values, direction="forward", lengths=torch.tensor([2]))
    assert got.tolist() == [[[0.0], [7.0]]]
    # Without a mask and with scores 5 tanh(0) and 5 tanh(ln(2)/5 ...): weights 1/3 and 2/3.
    keys = torch.tensor([[[0.0], [5 * math.atanh(math.log(2) / 5)]]])
    got = feature_attention(keys, queries, values, direction="none", lengths=torch.tensor([2]))
    torch.testing.assert_close(got, torch.full((1, 2, 1), 7 / 3 + 11 * 2 / 3))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_weights_are_distributions_over_the_allowed_keys(direction):
    keys, queries = torch.randn(2, 2, 5, 3).unbind()
    lengths = torch.tensor([5, 3])
    weights = feature_weights(keys, queries, direction=direction, lengths=lengths)
    real = torch.arange(5) < lengths[:, None]
    allowed = allowed_keys(direction, 5) & real[:, None, :] & real[:, :, None]
    assert weights[~allowed].eq(0).all()
    sums = weights.sum(2)
    expected = allowed.any(2).float()[..., None].expand_as(sums)
    torch.testing.assert_close(sums, expected)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_padding_has_no_influence_on_values_and_gradients(direction):
    lengths = torch.tensor([4, 1, 0])
    real = torch.arange(7) < lengths[:, None]
    clean = [torch.randn(3, 7, 5) for _ in range(3)]
    poisoned = [x.masked_fill(~real[..., None], math.nan).requires_grad_() for x in clean]
    clean = [x.requires_grad_() for x in clean]
    results = []
    for tensors in (clean, poisoned):
        s = feature_attention(*tensors, direction=direction, lengths=lengths)
        s.square().sum().backward()
        results.append((s, [x.grad[real] for x in tensors]))
    torch.testing.assert_close(results[0], results[1])
    assert results[0][0][~real].eq(0).all()


def test_gradients_are_those_of_finite_differences():
    tensors = [torch.randn(2, 3, 2, dtype=torch.float64, requires_grad=True) for _ in range(3)]
    lengths = torch.tensor([3, 2])

    def attention(keys, queries, values):
        return feature_attention(keys, queries, values, direction="backward", lengths=lengths, scale=2.0)

    assert torch.autograd.gradcheck(attention, tensors)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_one_score_for_all_features_is_the_same_in_groups(direction, monkeypatch):
    """With gradients, of 40 sentences, where the native back end pads few at a time."""
    layout = Layout(torch.arange(9) < (torch.arange(40) * 5 % 10)[:, None], packed=True, multiple=4)
    inputs = [torch.randn(len(layout.place_N), 3, requires_grad=True) for _ in range(3)]
    inputs.append(torch.randn(3, requires_grad=True))
    found = []
    for backend in ("native", "reference"):
        monkeypatch.setattr("attest.models.attention.feature.backend_for", lambda *_, backend=backend, **__: backend)
        got = attend_words(*inputs[:3], layout, direction=direction, scale=2.0, vector_D=inputs[3])
        found.append((got, *torch.autograd.grad((got * torch.arange(3)).sum(), inputs)))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("scale", [0.0, -5.0, 1e-38, 9e-7])
def test_a_scale_near_zero_is_refused(scale):
    """The kernel would compute 2 k / c, which is infinite for 1e-38."""
    with pytest.raises(ValueError, match=rf"scale .* is {scale}; use a positive number of at least 1e-06"):
        feature_attention(*torch.randn(3, 1, 2, 3), direction="none", lengths=torch.tensor([2]), scale=scale)


def test_lengths_may_be_on_another_device_than_the_words():
    """The device meta stands for a GPU: torch refuses to compare its tensors with those of the CPU."""
    x, lengths = torch.empty(2, 5, 3, device="meta"), torch.tensor([5, 3])
    weights = feature_weights(x, x, direction="forward", lengths=lengths)
    pairs, words = pair_and_word_factors(x, x, x, direction="forward", lengths=lengths, pair_weight="sigmoid")
    assert weights.device == pairs.device == words.device == x.device
    assert weights.shape == (2, 5, 5, 3)
