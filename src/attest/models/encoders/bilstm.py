"""Bi-LSTM encoders: with s2t self-attention, the fourth baseline of DiSAN's Table 1, and with max pooling, the first
baseline of SSA's Table 1.

Legend: N rows of a layout, E word vector, D hidden features per direction.
"""

from typing import Literal

from torch import Tensor

from attest.models.attention import Layout, max_weights, max_words
from attest.models.encoders.base import Activation, check_choice
from attest.models.encoders.recurrent import MakeLSTM, Recurrent, normal_lstm, tensorflow_lstm, torch_lstm
from attest.models.encoders.source2token import SourceToTokenPooling

Initialisation = Literal["normal", "torch"]
LSTMS: dict[Initialisation, MakeLSTM] = {"normal": normal_lstm, "torch": torch_lstm}


class BiLSTM(Recurrent):
    """An LSTM over the words in each direction, then source2token attention over both.

    Dropout falls on the LSTMs' inputs, drawn for each direction by itself, and nowhere inside (authors' code).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int = 300,
        *,
        activation: Activation = "elu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(input_size, hidden_size, tensorflow_lstm, dropout)
        self.width = 2 * hidden_size
        self.pooling = SourceToTokenPooling(self.width, activation=activation, dropout=dropout)

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return self.pooling(self.encode_words(x_ND, layout), layout)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        return {"source2token": self.pooling.weights(self.encode_words(x_ND, layout), layout)}


class BiLSTMMax(Recurrent):
    """An LSTM over the words in each direction, then of each feature the highest value in the sentence."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int = 300,
        *,
        initialisation: Initialisation = "normal",
        clip: float | None = None,
        dropout: float = 0.0,
    ) -> None:
        check_choice("initialisation", initialisation, Initialisation)
        super().__init__(input_size, hidden_size, LSTMS[initialisation], dropout, clip)
        self.width = 2 * hidden_size

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return max_words(self.encode_words(x_ND, layout), layout)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        return {"maximum": max_weights(self.encode_words(x_ND, layout), layout)}
