"""Bi-LSTM encoders, baselines of two papers.

BiLSTM (with source2token self-attention) is the fourth baseline of DiSAN's Table 1, BiLSTMMax (with max pooling) the
first baseline of Table 1 of Lin et al. 2017 (SSA).

Legend: N rows of a layout, E word vector, D hidden features per direction.
"""

from typing import Literal

from attest.models.arguments import Size
from attest.models.encoders.lstm import MakeLSTM, normal_lstm, tensorflow_lstm, torch_lstm
from attest.models.encoders.pooled import MaxPooling, PooledEncoder
from attest.models.encoders.recurrent import Recurrent
from attest.models.encoders.source2token import SourceToTokenPooling
from attest.models.layers import Activation

LSTMInitialisation = Literal["normal", "torch"]
LSTMS: dict[LSTMInitialisation, MakeLSTM] = {"normal": normal_lstm, "torch": torch_lstm}


class BiLSTM(Recurrent, PooledEncoder):
    """The baseline "Bi-LSTM with s2t self-attention" of Shen et al. 2018, Table 1.

        h_i = [h_fw_i; h_bw_i],   s = sum_i P_i (.) h_i with the P of eq. 12

    x (B, T, E) -> s (B, 2 hidden_size), with E = `input_size`. The LSTMs are TensorFlow's, with a forget bias of 1.
    `dropout` falls on their inputs, drawn separately for each direction, and nowhere inside (authors' code).
    `activation` is that of source2token.

        >>> BiLSTM(300, 300)(torch.randn(2, 3, 300), torch.ones(2, 3, dtype=torch.bool)).shape
        torch.Size([2, 600])
    """

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size = 300,
        *,
        activation: Activation = "elu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(input_size, hidden_size, tensorflow_lstm, dropout)
        self.width = 2 * hidden_size
        self.pooling = SourceToTokenPooling(self.width, activation=activation, dropout=dropout)


class BiLSTMMax(Recurrent, PooledEncoder):
    """The baseline "BiLSTM + Max Pooling" of Lin et al. 2017 (Table 1): an LSTM per direction, then the maximum.

        h_i = [h_fw_i; h_bw_i],   s = max_i h_i, per feature

    x (B, T, E) -> s (B, 2 hidden_size), with E = `input_size`. `dropout` falls on the word vectors, drawn separately
    for each direction. `initialisation` is normal (weights N(0, 0.1^2), biases 0, as in the authors' script) or torch
    (torch's own values); `clip` limits each number in the gradient of the LSTMs' weights.

        >>> BiLSTMMax(300, 300)(torch.randn(2, 3, 300), torch.ones(2, 3, dtype=torch.bool)).shape
        torch.Size([2, 600])
    """

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size = 300,
        *,
        initialisation: LSTMInitialisation = "normal",
        clip: float | None = None,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(input_size, hidden_size, LSTMS[initialisation], dropout, clip)
        self.width = 2 * hidden_size
        self.pooling = MaxPooling()
