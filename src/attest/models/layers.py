"""Dense layers as in TensorFlow, and their activation functions."""

from collections.abc import Callable
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.models.arguments import check_choice
from attest.models.kernels.elu import elu

Activation = Literal["elu", "relu", "tanh", "linear"]


def linear(x: Tensor) -> Tensor:
    """Return `x` itself: the activation of a linear layer."""
    return x


ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "elu": elu,
    "relu": F.relu,
    "tanh": torch.tanh,
    "linear": linear,
}
"""The activation functions by name. Pickle finds each of them by its own name, so modules can be pickled."""


def activation_function(name: Activation) -> Callable[[Tensor], Tensor]:
    """Return the activation function of this name; raise ValueError if there is none."""
    check_choice("activation", name, Activation)
    return ACTIVATIONS[name]


def dense(inputs: int, outputs: int, *, bias: bool = True) -> nn.Linear:
    """Return a linear layer initialised as in TensorFlow: Glorot-uniform weights and zero biases."""
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.xavier_uniform_(layer.weight)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer
