"""The feed-forward network of the Decomposable Attention Model, and its input features.

Legend: ... any leading dimensions, D features of one vector.
"""

from typing import Literal

import torch
from torch import Tensor, nn

from attest.models.kernels.dropout import Dropout

Features = Literal["vectors", "differences", "all"]

VECTORS: dict[Features, int] = {"vectors": 2, "differences": 2, "all": 4}
"""The number of vectors that `join_vectors` concatenates."""


class FeedForward(nn.Module):
    """The network FFNet (Lopez-Gazpio et al. 2019, footnote 3): a hidden and an output layer, both with ReLU.

    x (..., inputs) -> (..., outputs). Dropout falls on the input of both layers.
    """

    def __init__(self, inputs: int, outputs: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.hidden = nn.Linear(inputs, outputs)
        self.output = nn.Linear(outputs, outputs)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        return self.output(self.dropout(self.hidden(self.dropout(x)).relu())).relu()


def network_symbols(part: str, symbol: str) -> dict[str, str]:
    """Return the meanings of the parameters of the FeedForward `part`, such as "F, hidden layer, weights", by name."""
    return {
        f"{part}.{layer}.{kind}": f"{symbol}, {layer} layer, {meaning}"
        for layer in ("hidden", "output")
        for kind, meaning in (("weight", "weights"), ("bias", "biases"))
    }


def join_vectors(first: Tensor, second: Tensor, features: Features) -> Tensor:
    """Return [a; b] (vectors), [|a - b|; a (.) b] (differences), or all four (all), (..., 2 D or 4 D)."""
    vectors = [] if features == "differences" else [first, second]
    if features != "vectors":
        vectors += [(first - second).abs(), first * second]
    return torch.cat(vectors, dim=-1)
