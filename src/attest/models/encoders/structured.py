"""Structured self-attention: Lin et al. 2017, sections 2.1 and 2.2.

Legend: B batch, T time, N rows of a layout (words), U features of both directions (2u), R hops (rows of M).
"""

from typing import ClassVar, Literal

import torch
from torch import Tensor

from attest.models.arguments import Size
from attest.models.attention import Layout, masked_softmax
from attest.models.attention.masked import at_least_fp32
from attest.models.encoders.lstm import normal_lstm
from attest.models.encoders.recurrent import Recurrent
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function, dense

PenaltyForm = Literal["norm", "mean"]


def redundancy(attention_BTR: Tensor) -> Tensor:
    """Return the penalty P (B,) = ||A A^T - I||^2 in the Frobenius norm (eq. 8), where `attention_BTR` is A^T."""
    between_BRR = attention_BTR.transpose(1, 2) @ attention_BTR
    return (between_BRR - torch.eye(between_BRR.shape[1], device=between_BRR.device)).square().sum((1, 2))


def mean_redundancy(attention_BTR: Tensor, longest_B: Tensor) -> Tensor:
    """Return the penalty (B,) of the authors' code: the mean square of the n x n matrix A^T A - I.

    n is the length of the longest sentence in the batch (`longest_B`). Since ||A^T A - I_n||^2 = ||A A^T - I_r||^2 +
    n - r, the gradient is that of P divided by n^2, and the large matrix need not be formed.
    """
    hops = attention_BTR.shape[2]
    return (redundancy(attention_BTR) + longest_B - hops) / longest_B.clamp(min=1).square()


class StructuredSelfAttention(Recurrent):
    """Structured self-attention: Lin et al. 2017, sections 2.1 and 2.2. The sentence embedding is a matrix M.

        H = Bi-LSTM(x)                                  (N, 2u)   (eq. 2 to 4)
        A = softmax(W_s2 tanh(W_s1 H^T))                (r, n)    (eq. 6)
        M = A H, row after row as one vector            (r 2u)    (eq. 7)

    x (B, T, E) -> M (B, r 2u), with E = `input_size`, u = `hidden_size`, d_a = `attention_size` and r = `hops`;
    `activation` is that of eq. 6. In training, `auxiliary_loss` is `penalty` times P, averaged over sentences and
    summed over the two sides of a pair. `penalty_form` is norm, the text's P (eq. 8), or mean, that of the authors'
    code. Where the text is silent, the authors' code decides: `dropout` falls on H and on the hidden layer as inputs of
    the scores, never on the H that is summed or on A, and the L2 penalty leaves out the LSTMs. `biases` adds biases to
    both layers of the attention, which their code has and eq. 6 has not. `clip` limits each number in the gradient of
    the LSTMs' weights.

        >>> encoder = StructuredSelfAttention(300, 100, hops=4)
        >>> encoder(torch.randn(2, 3, 300), torch.ones(2, 3, dtype=torch.bool)).shape
        torch.Size([2, 800])
        >>> encoder.auxiliary_loss.shape
        torch.Size([])
    """

    symbols: ClassVar[dict[str, str]] = {
        **Recurrent.symbols,
        "hidden.weight": "W_s1",
        "hidden.bias": "bias beside W_s1",
        "score.weight": "W_s2",
        "score.bias": "bias beside W_s2",
    }
    not_decayed: ClassVar[tuple[str, ...]] = tuple(name for name in Recurrent.symbols if ".weight" in name)

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size = 300,
        *,
        attention_size: Size = 350,
        hops: Size = 30,
        activation: Activation = "tanh",
        biases: bool = False,
        penalty: float = 1.0,
        penalty_form: PenaltyForm = "norm",
        clip: float | None = None,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(input_size, hidden_size, normal_lstm, 0.0, clip)
        if penalty < 0:
            raise ValueError(f"penalty is {penalty}; use 0 or a positive number")
        self.width = hops * 2 * hidden_size
        self.hidden = dense(2 * hidden_size, attention_size, bias=biases)
        self.score = dense(attention_size, hops, bias=biases)
        self.activation = activation_function(activation)
        self.attention_dropout = Dropout(dropout)
        self.penalty, self.penalty_form = penalty, penalty_form

    def weights(self, h_NU: Tensor, layout: Layout) -> Tensor:
        """Return A^T (B, T, R), per hop a distribution over the words."""
        hidden_ND = self.activation(self.hidden(self.attention_dropout(h_NU)))
        return masked_softmax(
            layout.grid(self.score(self.attention_dropout(hidden_ND))), layout.grid_mask_BT[..., None], 1
        )

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        h_NU = self.encode_words(x_ND, layout)
        attention_BTR = self.weights(h_NU, layout)
        with torch.autocast(h_NU.device.type, enabled=False):
            matrix_BRU = attention_BTR.transpose(1, 2) @ layout.grid(at_least_fp32(h_NU))
            penalised = self.training and self.penalty > 0
            self.auxiliary_loss = self.penalty * self.mean_penalty(attention_BTR, layout) if penalised else None
        return matrix_BRU.flatten(1)

    def mean_penalty(self, attention_BTR: Tensor, layout: Layout) -> Tensor:
        """Return the penalty, averaged over sentences and summed over the sides of a pair; 0 without any."""
        if not len(attention_BTR):
            return attention_BTR.sum()  # 0: no sentences have no mean and no longest one
        if self.penalty_form == "norm":
            penalty_B = redundancy(attention_BTR)
        else:
            penalty_B = mean_redundancy(attention_BTR, layout.longest_B)
        return penalty_B.mean() * layout.sides

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        return {"hops": self.weights(self.encode_words(x_ND, layout), layout)}
