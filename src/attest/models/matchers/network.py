"""The feed-forward network of the Decomposable Attention Model, its first weights, and what two vectors are joined to.

Legend: ... any leading dimensions, D features of one vector.
"""

from typing import Literal

import torch
from torch import Tensor, nn

from attest.models.encoders.base import check_choice
from attest.models.kernels.dropout import Dropout

Initialisation = Literal["normal", "uniform", "glorot"]
Initialised = Literal["linear", "all"]
Features = Literal["vectors", "differences", "all"]

VECTORS: dict[Features, int] = {"vectors": 2, "differences": 2, "all": 4}
"""How many vectors `join_vectors` puts side by side."""


class FeedForward(nn.Module):
    """FFNet: a hidden and an output layer, both with ReLU (footnote 3); dropout falls on the input of both."""

    def __init__(self, inputs: int, outputs: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.hidden = nn.Linear(inputs, outputs)
        self.output = nn.Linear(outputs, outputs)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        return self.output(self.dropout(self.hidden(self.dropout(x)).relu())).relu()


def network_symbols(part: str, symbol: str) -> dict[str, str]:
    """The parameters of the network `part` by name -> what they are, as in "F, hidden layer, weights"."""
    return {
        f"{part}.{layer}.{kind}": f"{symbol}, {layer} layer, {meaning}"
        for layer in ("hidden", "output")
        for kind, meaning in (("weight", "weights"), ("bias", "biases"))
    }


def join_vectors(first: Tensor, second: Tensor, features: Features) -> Tensor:
    """[a; b] (vectors), [|a - b|; a (.) b] (differences), or all four (..., 2 D or 4 D)."""
    parts = [] if features == "differences" else [first, second]
    if features != "vectors":
        parts += [(first - second).abs(), first * second]
    return torch.cat(parts, dim=-1)


@torch.no_grad()
def initialise(module: nn.Module, how: Initialisation, size: float, layers: Initialised = "all") -> None:
    """Every parameter, biases too, normal with standard deviation `size` or uniform in plus or minus `size`. glorot:
    matrices by their shape, biases zero, whatever `size` is. `layers`: linear leaves a GRU as torch makes it."""
    check_choice("initialisation", how, Initialisation)
    check_choice("initialised", layers, Initialised)
    if not size > 0:
        raise ValueError(f"initial is above 0; got {size}")
    parts = [part for part in module.modules() if layers == "all" or not isinstance(part, nn.RNNBase)]
    for parameter in (parameter for part in parts for parameter in part.parameters(recurse=False)):
        if how == "normal":
            parameter.normal_(std=size)
        elif how == "uniform":
            parameter.uniform_(-size, size)
        elif parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        else:
            parameter.zero_()
