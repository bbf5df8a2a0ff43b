"""The LSTM over packed words beside torch's own on padded sentences, in double precision."""

import copy
import math

import pytest
import torch
from marks import needs_kernels
from models.kernels.relative_errors import relative_error

from attest.models.attention import Layout
from attest.models.encoders.lstm import tensorflow_lstm, torch_lstm
from attest.models.encoders.recurrent import lstm_states

INPUTS, HIDDEN = 11, 37  # two runs of 16 features and a narrow one
LENGTHS = torch.tensor([3, 0, 11, 1, 0, 11, 2])

pytestmark = needs_kernels


def layout_of(lengths=LENGTHS, **options):
    return Layout(torch.arange(11) < lengths[:, None], **options)


def with_gradients(lstm, x_NE, layout, probe_ND, *, backward):
    """States at words, and the gradients of words and of all parameters that learn."""
    lstm, x_NE = copy.deepcopy(lstm), x_NE.clone().requires_grad_()
    learning = [parameter for parameter in lstm.parameters() if parameter.requires_grad]
    states_ND = lstm_states(lstm, x_NE, layout, backward=backward)[layout.real_N]
    return [states_ND.detach(), *torch.autograd.grad((states_ND * probe_ND).sum(), [x_NE, *learning])]


@pytest.mark.parametrize("make", [tensorflow_lstm, torch_lstm], ids=["one bias", "two biases"])
@pytest.mark.parametrize("options", [{"packed": True}, {"packed": False}, {"packed": True, "multiple": 64}], ids=str)
@pytest.mark.parametrize("backward", [False, True], ids=["onward", "back"])
@pytest.mark.parametrize("spread", [1.0, 100.0], ids=["usual", "saturated"])
def test_equals_torch_in_double_precision(spread, backward, options, make):
    torch.manual_seed(0)
    layout, lstm = layout_of(**options), make(INPUTS, HIDDEN)
    x = spread * layout.rows(torch.randn(*layout.mask_BT.shape, INPUTS))
    probe = torch.randn(int(LENGTHS.sum()), HIDDEN)
    got = with_gradients(lstm, x, layout, probe, backward=backward)
    expected = with_gradients(lstm.double(), x.double(), layout, probe.double(), backward=backward)
    bound = 1e-5 if spread > 1 else 2e-6
    assert [relative_error(a, b) < bound for a, b in zip(got, expected, strict=True)] == [True] * len(expected)


@pytest.mark.parametrize("backward", [False, True], ids=["onward", "back"])
def test_half_precision_is_near(backward):
    torch.manual_seed(0)
    layout, lstm = layout_of(packed=True, multiple=64), torch_lstm(INPUTS, HIDDEN)
    x, probe = layout.rows(torch.randn(*layout.mask_BT.shape, INPUTS)), torch.randn(int(LENGTHS.sum()), HIDDEN)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        got = with_gradients(lstm, x, layout, probe, backward=backward)
    expected = with_gradients(lstm, x, layout, probe, backward=backward)
    assert got[0].dtype == torch.bfloat16
    assert max(relative_error(a.float(), b) for a, b in zip(got, expected, strict=True)) < 0.03


def test_rows_that_are_no_words_are_zero_and_get_no_gradient():
    layout, lstm = layout_of(packed=False), torch_lstm(INPUTS, HIDDEN)
    x = torch.randn(len(layout.place_N), INPUTS, requires_grad=True)
    out = lstm_states(lstm, x, layout, backward=False)
    out.sum().backward()
    assert out[~layout.real_N].eq(0).all()
    assert x.grad[~layout.real_N].eq(0).all()


@pytest.mark.parametrize("backward", [False, True], ids=["onward", "back"])
def test_nan_stays_in_its_sentence_from_its_word_on(backward):
    layout, lstm = layout_of(packed=True), torch_lstm(INPUTS, HIDDEN)
    x = torch.randn(len(layout.place_N), INPUTS)
    x[5] = math.nan  # the third word of the third sentence, whose words are rows 3 to 13
    lost = lstm_states(lstm, x, layout, backward=backward).isnan().any(1).nonzero().squeeze(1).tolist()
    assert lost == (list(range(3, 6)) if backward else list(range(5, 14)))


def test_a_batch_without_words():
    layout, lstm = layout_of(torch.zeros(3, dtype=torch.long), packed=True), torch_lstm(INPUTS, HIDDEN)
    out = lstm_states(lstm, torch.zeros(0, INPUTS), layout, backward=False)
    assert out.shape == (0, HIDDEN)
    out.sum().backward()
    assert lstm.weight_hh_l0.grad.eq(0).all()


def test_a_graph_may_be_walked_twice():
    layout, lstm = layout_of(packed=True), torch_lstm(INPUTS, HIDDEN)
    x = torch.randn(len(layout.place_N), INPUTS, requires_grad=True)
    total = lstm_states(lstm, x, layout, backward=False).square().sum()
    first, second = (torch.autograd.grad(total, x, retain_graph=True)[0] for _ in range(2))
    assert first.equal(second)
