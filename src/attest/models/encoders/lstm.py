"""LSTMs by the initialisation of the papers' frameworks."""

from collections.abc import Callable

import torch
from torch import nn

MakeLSTM = Callable[[int, int], nn.LSTM]


class SingleBiasLSTM(nn.LSTM):
    """An LSTM with one bias vector, `bias_ih_l0`, of one layer and one direction.

    torch's LSTM has a second, redundant bias vector, `bias_hh_l0`. Here it is not trained, so that the number of
    parameters is the paper's (2,884,803, printed as 2.88m): `lstm_states` gives it no gradient, also after
    `requires_grad_(True)`.
    """

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__(input_size, hidden_size, batch_first=True)
        self.get_parameter("bias_hh_l0").requires_grad_(False)


def tensorflow_lstm(input_size: int, hidden_size: int) -> nn.LSTM:
    """Return an LSTM initialised as in TensorFlow: Glorot-uniform weights, one bias vector, a forget bias of 1."""
    lstm = SingleBiasLSTM(input_size, hidden_size)
    bound = (6.0 / (input_size + hidden_size + 4 * hidden_size)) ** 0.5
    with torch.no_grad():
        for name, parameter in lstm.named_parameters():
            if name.startswith("weight"):
                parameter.uniform_(-bound, bound)
            else:
                parameter.zero_()
        lstm.get_parameter("bias_ih_l0")[hidden_size : 2 * hidden_size] = 1.0
    return lstm


def normal_lstm(input_size: int, hidden_size: int) -> nn.LSTM:
    """Return an LSTM initialised as by the SSA authors: weights N(0, 0.1^2), one bias vector, all zeros."""
    lstm = tensorflow_lstm(input_size, hidden_size)
    with torch.no_grad():
        for name, parameter in lstm.named_parameters():
            if name.startswith("weight"):
                parameter.normal_(std=0.1)
            else:
                parameter.zero_()
    return lstm


def torch_lstm(input_size: int, hidden_size: int) -> nn.LSTM:
    """Return torch's own LSTM: all parameters uniform within +-1 / sqrt(hidden size), two bias vectors."""
    return nn.LSTM(input_size, hidden_size, batch_first=True)
