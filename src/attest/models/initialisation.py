"""The initial values of the parameters of a module.

The settings `initialisation` of the papers' models use the same words for different distributions, because the papers'
frameworks do: normal is Glorot-normal in `initialise_dense`, and N(0, size) in `initialise_parameters`.
"""

from typing import Literal

import torch
from torch import nn

from attest.models.arguments import check_choice

GlorotOrTorch = Literal["uniform", "normal", "torch"]
"""The initial values of dense layers: Glorot-uniform, Glorot-normal, or torch's own."""
ParameterDistribution = Literal["normal", "uniform", "glorot"]
"""The distributions from which `initialise_parameters` draws all parameters."""
InitialisedLayers = Literal["linear", "all"]
"""The layers whose initial weights `initialise_parameters` draws."""


def initialise_dense(module: nn.Module, how: GlorotOrTorch) -> None:
    """Replace the initial values of a module whose linear layers are made by `dense`.

    `how` is uniform, which changes nothing because `dense` is Glorot-uniform already; normal, which makes all matrices
    Glorot-normal and leaves biases as they are; or torch, which gives linear layers and their biases torch's own
    initial values.
    """
    check_choice("initialisation", how, GlorotOrTorch)
    if how == "normal":
        for parameter in module.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_normal_(parameter)
    if how == "torch":
        for layer in module.modules():
            if isinstance(layer, nn.Linear):
                layer.reset_parameters()


def glorot_vector(size: int) -> nn.Parameter:
    """Return the vector w of eq. 5 with Glorot's bound for a (D, 1) matrix, which is its shape in the authors' code."""
    bound = (6.0 / (size + 1)) ** 0.5
    return nn.Parameter(torch.empty(size).uniform_(-bound, bound))


@torch.no_grad()
def initialise_parameters(
    module: nn.Module, distribution: ParameterDistribution, size: float, layers: InitialisedLayers = "all"
) -> None:
    """Draw the initial values of a module's parameters, biases included.

    `distribution` is normal, with standard deviation `size`; uniform, within +-size; or glorot, with matrices
    Glorot-uniform and biases zero, which ignores `size`. `layers` is all, or linear, which leaves recurrent layers as
    torch initialises them.
    """
    check_choice("initialisation", distribution, ParameterDistribution)
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
