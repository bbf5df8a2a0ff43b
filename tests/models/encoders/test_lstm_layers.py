"""LSTMs by the initialisation of the papers' frameworks, and their redundant bias."""

import pytest
import torch

from attest.models import BiLSTM, BiLSTMMax, StructuredSelfAttention
from attest.models.encoders.lstm import normal_lstm, tensorflow_lstm


def test_lstm_is_the_plain_formula_with_forget_bias_one():
    lstm, x = tensorflow_lstm(3, 2), torch.randn(1, 5, 3)
    w_input, w_state = lstm.get_parameter("weight_ih_l0"), lstm.get_parameter("weight_hh_l0")
    bias = torch.tensor([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    assert lstm.get_parameter("bias_ih_l0").equal(bias)
    state, cell, outputs = torch.zeros(2), torch.zeros(2), []
    for word in x[0]:
        entry, forget, candidate, output = (w_input @ word + w_state @ state + bias).chunk(4)
        cell = forget.sigmoid() * cell + entry.sigmoid() * candidate.tanh()
        state = output.sigmoid() * cell.tanh()
        outputs.append(state)
    torch.testing.assert_close(lstm(x)[0][0], torch.stack(outputs))


def test_lstms_begin_without_a_forget_bias():
    lstm = normal_lstm(50, 40)
    assert lstm.get_parameter("bias_ih_l0").eq(0).all()
    assert lstm.get_parameter("weight_hh_l0").std().item() == pytest.approx(0.1, rel=0.05)


@pytest.mark.parametrize("make", [BiLSTM, BiLSTMMax, StructuredSelfAttention], ids=lambda make: make.__name__)
def test_the_redundant_bias_does_not_learn_after_the_encoder_is_unfrozen(make, backend):
    """Freezing and unfreezing an encoder, as one does to train a head first, changed the model."""
    encoder = make(7, 3).requires_grad_(False).requires_grad_(True)
    encoder(torch.randn(2, 5, 7), torch.ones(2, 5, dtype=torch.bool)).square().sum().backward()
    torch.optim.SGD(encoder.parameters(), lr=1.0).step()
    for lstm in (encoder.forward_lstm, encoder.backward_lstm):
        assert lstm.get_parameter("bias_ih_l0").grad.abs().sum() > 0
        assert lstm.get_parameter("bias_hh_l0").grad is None
        assert lstm.get_parameter("bias_hh_l0").eq(0).all()


def test_torchs_own_lstm_trains_both_biases(backend):
    encoder = BiLSTMMax(7, 3, initialisation="torch")
    encoder(torch.randn(2, 5, 7), torch.ones(2, 5, dtype=torch.bool)).square().sum().backward()
    gradients = [encoder.forward_lstm.get_parameter(name).grad for name in ("bias_ih_l0", "bias_hh_l0")]
    assert gradients[0] is not None
    assert gradients[1] is not None
    assert gradients[0].equal(gradients[1])
