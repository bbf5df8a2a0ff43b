"""The feed-forward network of the Decomposable Attention Model, its input features and initial weights.

Legend: ... any leading dimensions, D features of one vector.
"""

from typing import Literal

import torch
from torch import Tensor, nn

from attest.models.arguments import check_choice
from attest.models.kernels.dropout import Dropout

InitialDistribution = Literal["normal", "uniform", "glorot"]
"""The distributions from which initial weights can be drawn."""
InitialisedLayers = Literal["linear", "all"]
"""The layers whose initial weights `initialise_parameters` draws."""
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


@torch.no_grad()
def initialise_parameters(
    module: nn.Module, distribution: InitialDistribution, size: float, layers: InitialisedLayers = "all"
) -> None:
    """Draw the initial values of a module's parameters, biases included.

    `distribution` is normal, with standard deviation `size`; uniform, within +-size; or glorot, with matrices
    Glorot-uniform and biases zero, which ignores `size`. `layers` is all, or linear, which leaves recurrent layers as
    torch initialises them.
    """
    check_choice("initialisation", distribution, InitialDistribution)
    check_choice("initialised", layers, InitialisedLayers)
    if not size > 0:
        raise ValueError(f"initial is {size}; use a number above 0")
    modules = [layer for layer in module.modules() if layers == "all" or not isinstance(layer, nn.RNNBase)]
    for parameter in (parameter for layer in modules for parameter in layer.parameters(recurse=False)):
        if distribution == "normal":
            parameter.normal_(std=size)
        elif distribution == "uniform":
            parameter.uniform_(-size, size)
        elif parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        else:
            parameter.zero_()
