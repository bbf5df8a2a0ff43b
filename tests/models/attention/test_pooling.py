"""Pooling of the words of a sentence: the maximum and its word, and sums whose type is wide enough."""

import pytest
import torch

from attest.models.attention import Layout, max_weights, max_words
from attest.models.attention.pooling import pool_words, sum_words

LENGTHS = torch.tensor([4, 0, 1])
MASK = torch.arange(4) < LENGTHS[:, None]
LAYOUTS = [Layout(MASK, packed=True), Layout(MASK, packed=True, multiple=4), Layout(MASK, packed=False)]


@pytest.fixture(params=LAYOUTS, ids=["packed", "with filler rows", "padded"])
def layout(request):
    return request.param


def test_sums_are_those_of_each_sentence_and_leave_out_other_rows(layout):
    x = torch.randn(len(layout.place_N), 3)
    words = [x[first : first + length] for first, length in zip(layout.first_B, layout.length_B, strict=True)]
    torch.testing.assert_close(sum_words(x, layout), torch.stack([word.sum(0) for word in words]))


@pytest.mark.parametrize("half", [torch.bfloat16, torch.float16])
def test_words_of_16_bits_are_added_in_32(layout, half):
    values = torch.randn(len(layout.place_N), 3).to(half)
    sums = sum_words(values, layout)
    assert sums.dtype == torch.float32
    assert sums.equal(sum_words(values.float(), layout))


def test_the_maximum_is_the_value_of_the_word_with_weight_1(layout):
    x = -torch.rand(len(layout.place_N), 3)
    weights, grid = max_weights(x, layout), layout.grid(x)
    assert weights.sum(1).tolist() == [[1.0] * 3, [0.0] * 3, [1.0] * 3]
    assert (weights * grid).sum(1).equal(max_words(x, layout))


def test_sentences_of_a_batch_without_words_pool_to_zeros(layout):
    empty = Layout(torch.zeros(2, 0, dtype=torch.bool), layout.packed, layout.multiple)
    x = torch.zeros(len(empty.place_N), 3)
    for pooled in (pool_words(x, x, empty), max_words(x, empty), sum_words(x, empty)):
        assert pooled.tolist() == [[0.0] * 3] * 2
    assert max_weights(x, empty).shape == (2, 0, 3)
