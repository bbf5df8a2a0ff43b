"""Fast directional self-attention (Fast-DiSA), a later variant by the DiSAN authors: Shen et al., arXiv 1805.00912.

Legend: B batch, T time, N rows of a layout (words), E width of the word vectors, D hidden features.
"""

from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import Tensor

from attest.models.arguments import Size
from attest.models.attention import (
    Direction,
    Layout,
    PairWeight,
    attend_factorised,
    factorised_weights,
    pair_and_word_factors,
)
from attest.models.attention.masked import in_type_of
from attest.models.encoders.blocks import Block, ParallelBlocks
from attest.models.encoders.source2token import SourceToTokenPooling
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function, dense


class FastDirectionalBlock(Block):
    """One head of Fast-DiSA (Shen et al., arXiv 1805.00912, after the authors' code).

    It is not the same function as DiSA: a score is a number per pair of words plus a number per word and feature.

        v    = sigma(W(v) x + b(v)),   q = W(q) v,   k = W(k) v
        l    = W(l2) sigma(W(l1) v + b(l1)) + b(l2)
        P_i^j = a_ji exp(l_i) / sum_m a_jm exp(l_m),   a_ji = g(q_j . k_i / sqrt(D)), 0 where M_ij is minus infinity
        s_j  = sum_i P_i^j (.) v_i
        u    = F (.) v + (1 - F) (.) s,   F = sigmoid(W(f) [v; s] + b(f))

    x (N, E) -> u (N, D), the rows of a layout. The symbols are DiSAN's; M is the mask of `direction`. g is
    `pair_weight`: sigmoid, which the authors advise for a single layer, or exp. Dropout falls on the input of every
    dense layer, drawn separately for each. The authors' optional dropout on P, off by default, is not offered. A word
    without a word to attend to gets s = 0.
    """

    symbols: ClassVar[dict[str, str]] = {
        "value.weight": "W(v)",
        "value.bias": "b(v)",
        "query.weight": "W(q)",
        "key.weight": "W(k)",
        "hidden.weight": "W(l1)",
        "hidden.bias": "b(l1)",
        "score.weight": "W(l2)",
        "score.bias": "b(l2)",
        "gate.weight": "W(f)",
        "gate.bias": "b(f)",
    }

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        direction: Direction,
        *,
        activation: Activation = "elu",
        pair_weight: PairWeight = "sigmoid",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.direction: Direction = direction
        self.pair_weight: PairWeight = pair_weight
        self.value = dense(input_size, hidden_size)
        self.query = dense(hidden_size, hidden_size, bias=False)
        self.key = dense(hidden_size, hidden_size, bias=False)
        self.hidden = dense(hidden_size, hidden_size)
        self.score = dense(hidden_size, hidden_size)
        self.gate = dense(2 * hidden_size, hidden_size)
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def project(self, x_NE: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return q, k, l and v, each (N, D)."""
        v_ND = self.activation(self.value(self.dropout(x_NE)))
        q_ND, k_ND = self.query(self.dropout(v_ND)), self.key(self.dropout(v_ND))
        hidden_ND = self.activation(self.hidden(self.dropout(v_ND)))
        return q_ND, k_ND, self.score(self.dropout(hidden_ND)), v_ND

    def gate_values(self, v_ND: Tensor, s_ND: Tensor) -> Tensor:
        """Return the gate F (N, D)."""
        return torch.sigmoid(self.gate(self.dropout(torch.cat([v_ND, s_ND], dim=-1))))

    def forward(self, x_NE: Tensor, layout: Layout) -> Tensor:
        q_ND, k_ND, l_ND, v_ND = self.project(x_NE)
        s_ND = attend_factorised(q_ND, k_ND, l_ND, v_ND, layout, direction=self.direction, pair_weight=self.pair_weight)
        gate_ND = self.gate_values(v_ND, s_ND)
        return gate_ND * v_ND + (1 - gate_ND) * s_ND

    def maps(self, x_NE: Tensor, layout: Layout) -> dict[str, Tensor]:
        """Return the weights P (B, query, key, D) and the gate F (B, T, D)."""
        q_BTD, k_BTD, l_BTD, v_BTD = (layout.grid(x) for x in self.project(x_NE))
        pairs_BQK, words_BKD = pair_and_word_factors(
            q_BTD, k_BTD, l_BTD, direction=self.direction, lengths=layout.length_B, pair_weight=self.pair_weight
        )
        weights_BQKD = factorised_weights(pairs_BQK, words_BKD)
        s_BTD = in_type_of(v_BTD, (weights_BQKD * v_BTD[:, None]).sum(2))
        return {"attention": weights_BQKD, "gate": self.gate_values(v_BTD, s_BTD)}


class FastDiSAN(ParallelBlocks):
    """DiSAN with heads of Fast-DiSA in place of its DiSA blocks (Shen et al., arXiv 1805.00912).

        u_fw = FastDiSA_fw(x),   u_bw = FastDiSA_bw(x),   s = source2token([u_fw; u_bw])   (DiSAN's eqs. 12 and 13)

    x (B, T, E) -> s (B, W), with E = `input_size` and W = `hidden_size` for each head. `directions` names the mask of
    each head; the authors have two by default, one forward and one backward. `pair_weight` is the function of the
    factor of a pair of words: sigmoid, which the authors advise for a single layer, or exp. `activation` is sigma, and
    `dropout` falls on the input of every dense layer.

        >>> FastDiSAN(300, 300)(torch.randn(2, 3, 300), torch.ones(2, 3, dtype=torch.bool)).shape
        torch.Size([2, 600])
    """

    block_name: ClassVar[str] = "head"

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size = 300,
        *,
        directions: Sequence[Direction] = ("forward", "backward"),
        activation: Activation = "elu",
        pair_weight: PairWeight = "sigmoid",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(
            input_size,
            hidden_size,
            directions,
            lambda direction: FastDirectionalBlock(
                input_size, hidden_size, direction, activation=activation, pair_weight=pair_weight, dropout=dropout
            ),
            lambda width: SourceToTokenPooling(width, activation=activation, dropout=dropout),
        )
