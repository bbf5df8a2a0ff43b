"""What every sentence encoder promises, and the parts they share.

Legend: B batch, T time, N rows of a layout (words), D features, W width of the sentence vector.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Literal, get_args

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.models.attention import Layout

Activation = Literal["elu", "relu", "tanh", "linear"]
Initialisation = Literal["uniform", "normal", "torch"]

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "elu": F.elu,
    "relu": F.relu,
    "tanh": lambda x: x.tanh(),
    "linear": lambda x: x,
}


def activation_function(name: str) -> Callable[[Tensor], Tensor]:
    if name not in ACTIVATIONS:
        raise ValueError(f"activation is one of {', '.join(ACTIVATIONS)}; got {name!r}")
    return ACTIVATIONS[name]


def check_choice(name: str, value: object, choices: Any) -> None:
    """Refuses a setting that is not among the values of its Literal."""
    if value not in get_args(choices):
        raise ValueError(f"{name} is one of {', '.join(map(str, get_args(choices)))}; got {value!r}")


def dense(inputs: int, outputs: int, *, bias: bool = True) -> nn.Linear:
    """A linear layer initialised as in TensorFlow: Glorot-uniform weights, zero biases."""
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.xavier_uniform_(layer.weight)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def initialise(module: nn.Module, how: Initialisation) -> None:
    """All matrices anew by their shape: Glorot-uniform, as `dense` has them already, Glorot-normal, or with the biases
    as torch's own layers begin."""
    check_choice("initialisation", how, Initialisation)
    if how == "normal":
        for parameter in module.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_normal_(parameter)
    if how == "torch":
        for layer in module.modules():
            if isinstance(layer, nn.Linear):
                layer.reset_parameters()


def glorot_vector(size: int) -> nn.Parameter:
    """w of eq. 5, with Glorot's bound for the (D, 1) matrix that such a vector is in the authors' code."""
    bound = (6.0 / (size + 1)) ** 0.5
    return nn.Parameter(torch.empty(size).uniform_(-bound, bound))


class NoMapsError(Exception):
    """The encoder does not attend, or does not show how."""


class Encoder(nn.Module, ABC):
    """Sentence to vector.

    encoder(x, mask) -> (B, W) with x (B, T, D) and mask (B, T), True at words. A sentence without words is legal
    and gives zeros. Nothing that stands in the padding has any influence, and none of it is computed with: words
    are packed into one matrix first.
    """

    version: ClassVar[int] = 1
    """Raised whenever the same settings would give other numbers: it is part of a run's identity."""

    symbols: ClassVar[dict[str, str]] = {}
    """Names of this module's own parameters -> the paper's symbols. Parts of it have symbols of their own."""

    not_decayed: ClassVar[tuple[str, ...]] = ()
    """Matrices among this module's parameters that the authors leave out of the L2 penalty."""

    pairs: ClassVar[bool] = False
    """Whether sentences come in pairs and see each other: then it is a matcher."""

    takes_phrases: ClassVar[bool] = False
    """Whether it can attend within the phrases of a sentence."""

    levels: int = 0
    """How many levels of phrases it needs."""

    width: int
    """Length of the sentence vector."""

    auxiliary_loss: Tensor | None = None
    """What the last call of `encode` adds to the loss, for encoders with a penalty; None outside of training."""

    def forward(self, x: Tensor, mask: Tensor, structure: Tensor | None = None) -> Tensor:
        """`structure` (B, T) carries phrases for the encoders that need them, and the others refuse it: bit t - 1 of
        a word is set where a phrase of level t begins."""
        layout = self.layout(mask, structure)
        if not mask.shape[1]:
            return x.new_zeros(len(mask), self.width)
        return self.encode(layout.rows(x), layout)

    def layout(self, mask: Tensor, structure: Tensor | None) -> Layout:
        if structure is not None and not self.levels:
            raise ValueError(f"{type(self).__name__} has no use for a sentence structure")
        if structure is None and self.levels:
            raise ValueError(f"{type(self).__name__} needs the phrases of each sentence: its structure")
        return Layout(mask, packed=True, phrases_BT=structure)

    @abstractmethod
    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """The sentence vectors (B, W) of words that stand in `layout`."""

    def attend(self, x: Tensor, mask: Tensor, structure: Tensor | None = None) -> dict[str, Tensor]:
        """The maps of this encoder by name, with the words of each sentence in front: (B, T, ...), and where the name
        begins with "attention" from query to key, (B, T, T, ...)."""
        layout = self.layout(mask, structure)
        return self.maps(layout.rows(x), layout)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        raise NoMapsError(f"{type(self).__name__} shows no attention maps")
