"""Directional Self-Attention Network: Shen et al. 2018, sections 3.3 and 4.

Legend: B batch, T time, N rows of a layout (words), E width of the word vectors, D hidden features.
"""

from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn

from attest.attention import Direction, Layout, attend_words, feature_weights
from attest.encoders.base import Activation, Encoder, activation_named, dense
from attest.encoders.source2token import SourceToTokenPooling
from attest.kernels.dropout import Dropout
from attest.kernels.gate import gated


class DirectionalBlock(nn.Module):
    """Directional self-attention (DiSA), Figure 2: words to words in context, with their order encoded.

    h   = sigma_h(W(h) x + b(h))                                        (eq. 14)
    s_j = sum_i P_i^j (.) h_i, scores c tanh([W(1) h_i + W(2) h_j + b(1)] / c) + M_ij  (eq. 11, 15)
    F   = sigmoid(W(f1) s + W(f2) h + b(f))                             (eq. 19)
    u   = F (.) h + (1 - F) (.) s                                       (eq. 20)

    As in the authors' code, where the text is silent: the fusion gate has three biases (two of them redundant,
    and counted in Table 1's 2.35m); dropout falls on the input of every dense layer and once on h for W(1) and
    W(2) together, never on the attended h nor on P; W(1) and W(2) stay out of the L2 penalty; a word with no
    word to attend to gets s = 0.
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
    }
    not_decayed: ClassVar[tuple[str, ...]] = ("key.weight", "query.weight")

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        direction: Direction,
        *,
        activation: Activation = "elu",
        scale: float = 5.0,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if scale <= 0:
            raise ValueError(f"scale (the paper's c) is positive; got {scale}")
        self.direction: Direction = direction
        self.scale = scale
        self.hidden = dense(input_size, hidden_size)
        self.key = dense(hidden_size, hidden_size, bias=False)
        self.query = dense(hidden_size, hidden_size)
        self.gate_hidden = dense(hidden_size, hidden_size)
        self.gate_attended = dense(hidden_size, hidden_size)
        self.gate_bias = nn.Parameter(torch.zeros(hidden_size))
        self.activation = activation_named(activation)
        self.dropout = Dropout(dropout)

    def forward(self, x_NE: Tensor, layout: Layout) -> Tensor:
        h_ND = self.activation(self.hidden(self.dropout(x_NE)))
        dropped_ND = self.dropout(h_ND)
        keys_ND, queries_ND = self.key(dropped_ND), self.query(dropped_ND)
        s_ND = attend_words(keys_ND, queries_ND, h_ND, layout, mask=self.direction, scale=self.scale)
        from_hidden_ND, from_attended_ND = self.gate_hidden(self.dropout(h_ND)), self.gate_attended(self.dropout(s_ND))
        return gated(from_hidden_ND, from_attended_ND, self.gate_bias, h_ND, s_ND)

    def maps(self, x_NE: Tensor, layout: Layout) -> dict[str, Tensor]:
        """P (B, query, key, D) and the gate F (B, T, D), without dropout."""
        h_ND = self.activation(self.hidden(x_NE))
        keys_BTD, queries_BTD, h_BTD = (layout.grid(x) for x in (self.key(h_ND), self.query(h_ND), h_ND))
        weights_BQKD = feature_weights(
            keys_BTD, queries_BTD, mask=self.direction, lengths=layout.length_B, scale=self.scale
        )
        s_BTD = (weights_BQKD * h_BTD[:, None]).sum(2)
        gate_BTD = torch.sigmoid(self.gate_hidden(h_BTD) + self.gate_attended(s_BTD) + self.gate_bias)
        return {"attention": weights_BQKD, "gate": gate_BTD}


class DiSAN(Encoder):
    """Two DiSA blocks with weights of their own, side by side, then source2token attention (Figure 4).

    `directions` names the mask of each block: forward and backward in the paper's model, diagonal twice in its
    "DiSAN without directions". The sentence vector has hidden_size features per block.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int = 300,
        *,
        directions: Sequence[Direction] = ("forward", "backward"),
        activation: Activation = "elu",
        scale: float = 5.0,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if not directions:
            raise ValueError("directions names the mask of at least one block; got none")
        self.width = hidden_size * len(directions)
        self.blocks = nn.ModuleList(
            DirectionalBlock(input_size, hidden_size, direction, activation=activation, scale=scale, dropout=dropout)
            for direction in directions
        )
        self.pooling = SourceToTokenPooling(self.width, activation=activation, dropout=dropout)

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return self.pooling(self.contextual(x_ND, layout), layout)

    def contextual(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """[u_fw; u_bw] (N, W)."""
        return torch.cat([block(x_ND, layout) for block in self.blocks], dim=-1)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        maps = {}
        for index, block in enumerate(self.blocks):
            assert isinstance(block, DirectionalBlock)
            maps |= {f"{name}_{index}_{block.direction}": value for name, value in block.maps(x_ND, layout).items()}
        return {**maps, "source2token": self.pooling.weights(self.contextual(x_ND, layout), layout)}
