"""An LSTM over the words in each direction, the base of all Bi-LSTM encoders.

Legend: B batch, T time, N rows of a layout, E word vector, D hidden features per direction.
"""

from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.models.attention import Layout
from attest.models.encoders.base import Encoder
from attest.models.encoders.lstm import MakeLSTM, SingleBiasLSTM
from attest.models.kernels.backends import backend_for
from attest.models.kernels.dropout import Dropout
from attest.models.kernels.lstm import lstm as packed_lstm
from attest.models.kernels.steps import rows_by_step
from attest.models.layer_weights import layer_weights

LSTM_PARAMETERS = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")


def lstm_states(lstm: nn.LSTM, x_NE: Tensor, layout: Layout, *, backward: bool, clip: float | None = None) -> Tensor:
    """Return the states h (N, D) of an LSTM that reads each sentence forward or, if `backward`, from its end.

    Each number in the gradient of the weights is limited to +-clip.
    """
    weights = lstm_weights(lstm, clip)
    if backend_for(x_NE) != "native":
        return grid_states(weights, x_NE, layout, backward=backward, training=lstm.training)
    weight, state_weight, bias, state_bias = weights
    gates_N4D = F.linear(x_NE, weight, bias + state_bias)
    rows_M, _, steps = rows_by_step(
        layout.last_B if backward else layout.first_B,
        layout.length_B,
        backward=backward,
        known_lengths=layout.known_lengths,
    )
    states_MD = packed_lstm(gates_N4D.index_select(0, rows_M), state_weight.to(gates_N4D.dtype), steps)
    return states_MD.new_zeros(len(x_NE), lstm.hidden_size).index_copy(0, rows_M, states_MD)


def lstm_weights(lstm: nn.LSTM, clip: float | None) -> list[Tensor]:
    """Return the weights and biases of an LSTM, in torch's order, with the gradients that `lstm_states` gives them."""
    *weights, state_bias = layer_weights(lstm, LSTM_PARAMETERS)
    weights.append(state_bias.detach() if isinstance(lstm, SingleBiasLSTM) else state_bias)
    return weights if clip is None else [clip_gradient(weight, clip) for weight in weights]


def clip_gradient(x: Tensor, limit: float) -> Tensor:
    """Return `x`, whose gradient has each of its numbers limited to +-limit.

    The gradient of one use is limited, not the sum over several uses. A hook would do the same on one tensor, but
    torch.compile drops it without a word.
    """
    return ClippedGradient.apply(x, limit)  # type: ignore[no-any-return]


class ClippedGradient(torch.autograd.Function):
    """The autograd function of `clip_gradient`."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, limit: float) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, float], output: Tensor) -> None:
        _, ctx.limit = inputs

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:  # pyright: ignore
        return gradients[0].clamp(-ctx.limit, ctx.limit), None

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor) -> Tensor:  # pyright: ignore
        return tangents[0].view_as(tangents[0])


def grid_states(weights: list[Tensor], x_NE: Tensor, layout: Layout, *, backward: bool, training: bool) -> Tensor:
    """Return the result of `lstm_states`, computed on the grid of the sentences as torch's module does.

    The module itself is not called, because it would compute with its parameters, whose gradients are not limited.
    Autocast is left out: on a GPU it would compute in fp16, whichever type it is set to.
    """
    x_BTE = layout.grid(x_NE).to(weights[0].dtype)
    if backward:
        x_BTE = reverse_words(x_BTE, layout.length_B)
    start_1BD = x_BTE.new_zeros(1, len(x_BTE), weights[1].shape[1])
    with torch.autocast(x_BTE.device.type, enabled=False):
        states_BTD = torch.lstm(x_BTE, [start_1BD, start_1BD], weights, True, 1, 0.0, training, False, True)[0]
    return layout.rows_of_grid(reverse_words(states_BTD, layout.length_B) if backward else states_BTD)


# As torch.compiler.disable does, which would load the compiler: it fails to differentiate torch.lstm in a traced graph.
grid_states._torchdynamo_disable = True  # type: ignore[attr-defined]


def reverse_words(x_BTE: Tensor, lengths_B: Tensor) -> Tensor:
    """Return a grid (B, T, E) with the words of each sentence in reverse order, still in front of the padding."""
    time_T = torch.arange(x_BTE.shape[1], device=x_BTE.device)
    mirrored_BT = lengths_B[:, None] - 1 - time_T
    source_BT = torch.where(mirrored_BT >= 0, mirrored_BT, time_T)
    return x_BTE.gather(1, source_BT[..., None].expand_as(x_BTE))


class Recurrent(Encoder):
    """The base class of encoders that begin with an LSTM in each direction, h = [h_fw; h_bw] (N, 2D).

    `make_lstm` returns a new LSTM for an input size and a hidden size. Dropout falls on the inputs of the LSTMs, drawn
    separately for each direction, and nowhere inside. `clip` limits each number in the gradient that one call of the
    encoder gives the LSTMs' weights to +-clip; the sum over several calls may be larger.
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

    def encode_words(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the states h (N, 2D) of both directions at each word."""
        forward_ND = lstm_states(self.forward_lstm, self.dropout(x_ND), layout, backward=False, clip=self.clip)
        backward_ND = lstm_states(self.backward_lstm, self.dropout(x_ND), layout, backward=True, clip=self.clip)
        return torch.cat([forward_ND, backward_ND], dim=-1)
