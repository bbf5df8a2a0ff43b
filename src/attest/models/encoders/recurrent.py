"""An LSTM over the words in each direction, the base of all Bi-LSTM encoders.

Legend: B batch, T time, N rows of a layout, E word vector, D hidden features per direction.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.models.attention import Layout
from attest.models.encoders.base import Encoder
from attest.models.kernels.backends import backend_for
from attest.models.kernels.dropout import Dropout
from attest.models.kernels.lstm import lstm as packed_lstm
from attest.models.kernels.steps import rows_by_step

MakeLSTM = Callable[[int, int], nn.LSTM]
LSTM_PARAMETERS = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")


def tensorflow_lstm(input_size: int, hidden_size: int) -> nn.LSTM:
    """Return an LSTM initialised as in TensorFlow: Glorot-uniform weights, one bias vector, a forget bias of 1.

    torch's LSTM has a second, redundant bias vector. It is kept at zero and not trained, so that the number of
    parameters is the paper's (2,884,803, printed as 2.88m).
    """
    lstm = nn.LSTM(input_size, hidden_size, batch_first=True)
    bound = (6.0 / (input_size + hidden_size + 4 * hidden_size)) ** 0.5
    with torch.no_grad():
        for name, parameter in lstm.named_parameters():
            if name.startswith("weight"):
                parameter.uniform_(-bound, bound)
            else:
                parameter.zero_()
        lstm.get_parameter("bias_ih_l0")[hidden_size : 2 * hidden_size] = 1.0
    lstm.get_parameter("bias_hh_l0").requires_grad_(False)
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


def lstm_states(lstm: nn.LSTM, x_NE: Tensor, layout: Layout, *, backward: bool) -> Tensor:
    """Return the states h (N, D) of an LSTM that reads each sentence forward or, if `backward`, from its end."""
    if backend_for(x_NE) != "native":
        x_BTE = layout.grid(x_NE)
        if not backward:
            return layout.rows_of_grid(lstm(x_BTE)[0])
        return layout.rows_of_grid(reverse_words(lstm(reverse_words(x_BTE, layout.length_B))[0], layout.length_B))
    weight, state_weight, bias, state_bias = (lstm.get_parameter(name) for name in LSTM_PARAMETERS)
    gates_N4D = F.linear(x_NE, weight, bias + state_bias)
    rows_M, _, steps = rows_by_step(
        layout.last_B if backward else layout.first_B, layout.length_B, backward=backward, known=layout.known_lengths
    )
    states_MD = packed_lstm(gates_N4D.index_select(0, rows_M), state_weight.to(gates_N4D.dtype), steps)
    return states_MD.new_zeros(len(x_NE), lstm.hidden_size).index_copy(0, rows_M, states_MD)


def reverse_words(x_BTE: Tensor, lengths_B: Tensor) -> Tensor:
    """Return a grid (B, T, E) with the words of each sentence in reverse order, still in front of the padding."""
    time_T = torch.arange(x_BTE.shape[1], device=x_BTE.device)
    mirrored_BT = lengths_B[:, None] - 1 - time_T
    source_BT = torch.where(mirrored_BT >= 0, mirrored_BT, time_T)
    return x_BTE.gather(1, source_BT[..., None].expand_as(x_BTE))


class Recurrent(Encoder):
    """The base class of encoders that begin with an LSTM in each direction, h = [h_fw; h_bw] (N, 2D).

    `make_lstm` returns a new LSTM for an input size and a hidden size. Dropout falls on the inputs of the LSTMs, drawn
    separately for each direction, and nowhere inside. `clip` limits each number in the gradient of the LSTMs' weights
    to +-clip.
    """

    symbols: ClassVar[dict[str, str]] = {
        f"{direction}_lstm.{name}_l0": f"{direction} LSTM, {meaning}"
        for direction in ("forward", "backward")
        for name, meaning in {
            "weight_ih": "weights of the input",
            "weight_hh": "weights of the state",
            "bias_ih": "biases",
            "bias_hh": "biases of the state, where they are trained",
        }.items()
    }

    def __init__(
        self, input_size: int, hidden_size: int, make_lstm: MakeLSTM, dropout: float, clip: float | None = None
    ) -> None:
        super().__init__()
        self.forward_lstm = make_lstm(input_size, hidden_size)
        self.backward_lstm = make_lstm(input_size, hidden_size)
        self.dropout = Dropout(dropout)
        self.input_size, self.clip = input_size, clip
        if clip is not None and clip <= 0:
            raise ValueError(f"clip is {clip}; use a positive number, or null for no clipping")
        self.clip_gradients()

    def clip_gradients(self) -> None:
        """Limit each number in the gradients of the LSTMs' weights to +-clip from now on."""
        if self.clip is None:
            return
        limit = partial(torch.clamp, min=-self.clip, max=self.clip)
        for parameter in (*self.forward_lstm.parameters(), *self.backward_lstm.parameters()):
            if parameter.requires_grad:
                parameter.register_hook(limit)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copied or pickled encoder. The hooks that clip gradients are set again, as torch copies none."""
        super().__setstate__(state)
        self.clip_gradients()

    def encode_words(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the states h (N, 2D) of both directions at each word."""
        forward_ND = lstm_states(self.forward_lstm, self.dropout(x_ND), layout, backward=False)
        backward_ND = lstm_states(self.backward_lstm, self.dropout(x_ND), layout, backward=True)
        return torch.cat([forward_ND, backward_ND], dim=-1)
