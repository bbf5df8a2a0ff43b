"""Walks over packed words in C++ beside plain torch in double precision."""

import copy
import math

import pytest
import torch
from marks import needs_kernels

from attest.models.matchers.recurrence import run_walks

INPUTS, HIDDEN, WORDS = 5, 37, 12
STARTS, LENGTHS = torch.tensor([4, 0, 7, 5, 7]), torch.tensor([3, 1, 5, 0, 2])  # two walks pass rows 7 and 8

pytestmark = needs_kernels


def drawn():
    torch.manual_seed(0)
    return torch.nn.GRU(INPUTS, HIDDEN, bidirectional=True), torch.randn(WORDS, INPUTS)


def starts(backward):
    return (STARTS + LENGTHS - 1).clamp(min=0) if backward else STARTS


def with_gradients(gru, x_NE, *, backward):
    gru, x_NE = copy.deepcopy(gru), x_NE.clone().requires_grad_()
    rows, places, states = run_walks(gru, x_NE, starts(backward), LENGTHS, backward=backward)
    torch.manual_seed(1)
    (states * torch.randn(*states.shape).to(states.dtype)).sum().backward()
    learnt = [value.grad for name, value in gru.named_parameters() if name.endswith("reverse") == backward]
    return rows, places, [states.detach(), x_NE.grad, *learnt]


@pytest.mark.parametrize("backward", [False, True], ids=["onward", "back"])
def test_equals_torch_in_double_precision(backward):
    gru, x = drawn()
    got = with_gradients(gru, x, backward=backward)
    expected = with_gradients(gru.double(), x.double(), backward=backward)
    assert got[0].equal(expected[0])
    assert got[1].equal(expected[1])
    for one, other in zip(got[2], expected[2], strict=True):
        torch.testing.assert_close(one.double(), other, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("backward", [False, True], ids=["onward", "back"])
def test_each_walk_is_torchs_own_gru_over_its_words(backward):
    gru, x = drawn()
    rows, places, states = run_walks(gru, x, starts(backward), LENGTHS, backward=backward)
    found = {}
    for row, place, state in zip(rows.tolist(), places.tolist(), states, strict=True):
        found.setdefault((row + place if backward else row - place, place), state)
    for start, length in zip(STARTS.tolist(), LENGTHS.tolist(), strict=True):
        words = x[start : start + length]
        known = gru(words)[0].unflatten(1, (2, -1)) if length else torch.zeros(0, 2, HIDDEN)
        begin = start + length - 1 if backward else start
        for place in range(length):
            expected = known[length - 1 - place, 1] if backward else known[place, 0]
            torch.testing.assert_close(found[begin, place], expected, rtol=1e-5, atol=1e-6)


def test_half_precision_is_near():
    gru, x = drawn()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        got = with_gradients(gru, x, backward=False)[2]
    for one, other in zip(got, with_gradients(gru, x, backward=False)[2], strict=True):
        assert (one.float() - other).abs().max() < 0.03 * other.abs().max()


def test_nan_stays_in_the_walks_that_pass_it():
    gru, x = drawn()
    x[8] = math.nan
    rows, places, states = run_walks(gru, x, STARTS, LENGTHS)
    lost = states.isnan().any(1)
    assert sorted(zip((rows - places)[lost].tolist(), places[lost].tolist(), strict=True)) == [
        (7, 1), (7, 1), (7, 2), (7, 3), (7, 4),
    ]  # fmt: skip


def test_many_walks_at_once_have_their_products_filled_up():
    """More than 128 rows: as many as a product of 64's multiple has, and none of the others' numbers."""
    gru, x = drawn()
    start, words = torch.arange(WORDS).repeat(20)[:200] % 9, torch.tensor([1, 2, 3]).repeat(67)[:200]
    results = []
    for kind in (torch.float32, torch.float64):
        gru, words_NE = gru.to(kind), x.to(kind).requires_grad_()
        states = run_walks(gru, words_NE, start, words)[2]
        results.append([states, *torch.autograd.grad(states.square().sum(), [words_NE, gru.weight_hh_l0])])
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one.double(), other, rtol=1e-4, atol=1e-4)
