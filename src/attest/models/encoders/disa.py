"""Directional self-attention (DiSA), the block of DiSAN: Shen et al. 2018, section 3.3.

Legend: B batch, T time, N rows of a layout (words), E width of the word vectors, D hidden features.
"""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.attention import Direction, Layout, attend_words, feature_weights
from attest.models.attention.feature import check_scale
from attest.models.attention.masked import in_type_of
from attest.models.encoders.blocks import Block
from attest.models.initialisation import glorot_vector
from attest.models.kernels.dropout import Dropout
from attest.models.kernels.gate import fuse
from attest.models.layers import Activation, activation_function, dense

Fusion = Literal["gate", "sum", "none"]
Scores = Literal["features", "scalar"]
GateBiases = Literal[3, 1]


class DirectionalBlock(Block):
    """The directional self-attention block (DiSA): Shen et al. 2018, section 3.3 and Figure 2.

    h   = sigma_h(W(h) x + b(h))                                        (eq. 14)
    s_j = sum_i P_i^j (.) h_i, scores c tanh([W(1) h_i + W(2) h_j + b(1)] / c) + M_ij  (eq. 11, 15)
    F   = sigmoid(W(f1) s + W(f2) h + b(f))                             (eq. 19)
    u   = F (.) h + (1 - F) (.) s                                       (eq. 20)

    x (N, E) -> u (N, D), the rows of a layout. M is the mask of `direction`, c is `scale`, sigma_h is `activation`.
    Where the text is silent, the defaults follow the authors' code: `dropout` falls on the input of every dense layer
    and once on h for W(1) and W(2) together, never on the attended h or on P; a word without a word to attend to gets
    s = 0. These settings select other readings of the text, or the model without one of its parts:

    fusion        gate: eq. 20; sum: u = h + s; none: u = s
    gate_biases   3: b(f) and a redundant bias for each of W(f1) and W(f2), as Table 1's 2.35m counts; 1: b(f) alone
    scores        features: eq. 15; scalar: one score for all features, w^T c tanh([...] / c) + M_ij (w as in eq. 5)
    decay_scores  whether the L2 penalty includes W(1) and W(2)
    unit_dropout  the probability of dropout on h and s themselves, so that all layers that use them see it
    """

    symbols: ClassVar[dict[str, str]] = {
        "hidden.weight": "W(h)",
        "hidden.bias": "b(h)",
        "key.weight": "W(1)",
        "query.weight": "W(2)",
        "query.bias": "b(1)",
        "gate_attended.weight": "W(f1)",
        "gate_attended.bias": "redundant part of b(f)",
        "gate_hidden.weight": "W(f2)",
        "gate_hidden.bias": "redundant part of b(f)",
        "gate_bias": "b(f)",
        "score": "w",
    }

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        direction: Direction,
        *,
        activation: Activation = "elu",
        scale: float = 5.0,
        fusion: Fusion = "gate",
        gate_biases: GateBiases = 3,
        scores: Scores = "features",
        decay_scores: bool = False,
        dropout: float = 0.0,
        unit_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        check_scale(scale)
        if fusion != "gate" and gate_biases != 3:
            raise ValueError(f"gate_biases: fusion={fusion} has no gate; leave gate_biases out or use fusion=gate")
        self.direction: Direction = direction
        self.scale = scale
        self.hidden = dense(input_size, hidden_size)
        self.key = dense(hidden_size, hidden_size, bias=False)
        self.query = dense(hidden_size, hidden_size)
        self.fusion: Fusion = fusion
        if fusion == "gate":
            self.gate_hidden = dense(hidden_size, hidden_size, bias=gate_biases == 3)
            self.gate_attended = dense(hidden_size, hidden_size, bias=gate_biases == 3)
            self.gate_bias = nn.Parameter(torch.zeros(hidden_size))
        self.score = glorot_vector(hidden_size) if scores == "scalar" else None
        self.not_decayed: tuple[str, ...] = () if decay_scores else ("key.weight", "query.weight")
        self.activation = activation_function(activation)
        self.dropout, self.unit_dropout = Dropout(dropout), Dropout(unit_dropout)

    def project(self, x_NE: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return W(1) h, W(2) h + b(1) and h, each (N, D)."""
        h_ND = self.unit_dropout(self.activation(self.hidden(self.dropout(x_NE))))
        dropped_ND = self.dropout(h_ND)
        return self.key(dropped_ND), self.query(dropped_ND), h_ND

    def gate_parts(self, h_ND: Tensor, s_ND: Tensor) -> tuple[Tensor, Tensor]:
        """Return W(f2) h and W(f1) s, each (N, D) and with its redundant part of b(f), whose sum is that of eq. 19."""
        return self.gate_hidden(self.dropout(h_ND)), self.gate_attended(self.dropout(s_ND))

    def forward(self, x_NE: Tensor, layout: Layout) -> Tensor:
        keys_ND, queries_ND, h_ND = self.project(x_NE)
        s_ND = attend_words(
            keys_ND, queries_ND, h_ND, layout, direction=self.direction, scale=self.scale, vector_D=self.score
        )
        return self.fuse(h_ND, self.unit_dropout(s_ND))

    def fuse(self, h_ND: Tensor, s_ND: Tensor) -> Tensor:
        """Return u (N, D)."""
        if self.fusion == "none":
            return s_ND
        if self.fusion == "sum":
            return h_ND + s_ND
        return fuse(*self.gate_parts(h_ND, s_ND), self.gate_bias, h_ND, s_ND)

    def maps(self, x_NE: Tensor, layout: Layout) -> dict[str, Tensor]:
        """Return P (B, query, key, D), with D = 1 for scalar scores, and the gate F (B, T, D)."""
        keys_BTD, queries_BTD, h_BTD = (layout.grid(x) for x in self.project(x_NE))
        weights_BQKD = feature_weights(
            keys_BTD,
            queries_BTD,
            direction=self.direction,
            lengths=layout.length_B,
            scale=self.scale,
            vector_D=self.score,
        )
        if self.fusion != "gate":
            return {"attention": weights_BQKD}
        s_BTD = in_type_of(h_BTD, (weights_BQKD * h_BTD[:, None]).sum(2))
        from_hidden_BTD, from_attended_BTD = self.gate_parts(h_BTD, s_BTD)
        return {
            "attention": weights_BQKD,
            "gate": torch.sigmoid(from_hidden_BTD + from_attended_BTD + self.gate_bias),
        }
