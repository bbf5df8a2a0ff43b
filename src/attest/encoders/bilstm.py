"""Bi-LSTM with s2t self-attention: the fourth baseline of DiSAN's Table 1.

Legend: B batch, T time, N rows of a layout, E word vector, D hidden features per direction.
"""

from typing import ClassVar

import torch
from torch import Tensor, nn

from attest.attention import Layout
from attest.encoders.base import Activation, Encoder
from attest.encoders.source2token import SourceToTokenPooling
from attest.kernels.dropout import Dropout


def tensorflow_lstm(input_size: int, hidden_size: int) -> nn.LSTM:
    """An LSTM as TensorFlow makes it: Glorot-uniform kernel, one bias vector, forget bias 1.

    torch keeps a second, redundant bias vector: it is held at zero and not trained, so that the parameters
    count as in the paper (2,884,803, printed as 2.88m).
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


def reverse_words(x_BTE: Tensor, lengths_B: Tensor) -> Tensor:
    """Each sentence back to front, its padding left where it is; undoes itself."""
    time_T = torch.arange(x_BTE.shape[1], device=x_BTE.device)
    mirrored_BT = lengths_B[:, None] - 1 - time_T
    source_BT = torch.where(mirrored_BT >= 0, mirrored_BT, time_T)
    return x_BTE.gather(1, source_BT[..., None].expand_as(x_BTE))


class BiLSTM(Encoder):
    """An LSTM over the words in each direction, then source2token attention over both.

    Dropout falls on the LSTMs' inputs, drawn for each direction by itself, and nowhere inside (authors' code).
    """

    symbols: ClassVar[dict[str, str]] = {
        f"{direction}_lstm.{name}_l0": f"{direction} LSTM, {meaning}"
        for direction in ("forward", "backward")
        for name, meaning in {
            "weight_ih": "weights of the input",
            "weight_hh": "weights of the state",
            "bias_ih": "biases",
        }.items()
    }

    def __init__(
        self,
        input_size: int,
        hidden_size: int = 300,
        *,
        activation: Activation = "elu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.width = 2 * hidden_size
        self.forward_lstm = tensorflow_lstm(input_size, hidden_size)
        self.backward_lstm = tensorflow_lstm(input_size, hidden_size)
        self.dropout = Dropout(dropout)
        self.pooling = SourceToTokenPooling(self.width, activation=activation, dropout=dropout)

    def contextual(self, x_ND: Tensor, layout: Layout) -> Tensor:
        forward_BTD, _ = self.forward_lstm(layout.grid(self.dropout(x_ND)))
        backward_BTD, _ = self.backward_lstm(reverse_words(layout.grid(self.dropout(x_ND)), layout.length_B))
        return layout.words(torch.cat([forward_BTD, reverse_words(backward_BTD, layout.length_B)], dim=-1))

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return self.pooling(self.contextual(x_ND, layout), layout)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        return {"source2token": self.pooling.weights(self.contextual(x_ND, layout), layout)}
