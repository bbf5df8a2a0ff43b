"""Public code of a paper's authors, or of others, and the names that it gives the weights of an architecture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from torch import Tensor, nn

TensorLayout = Literal["same", "kernel", "row"]
"""The layout of a tensor in the other code.

same    as in Attest
kernel  the matrix of a dense layer as TensorFlow has it, (inputs, outputs), which is transposed here
row     the biases (N,) of a dense layer as a matrix (1, N)
"""


@dataclass(frozen=True)
class WeightNames:
    """A tensor of a model under both of its names."""

    ours: str
    """The name in the state dict of the encoder or of the head."""
    theirs: str
    """The name in the other code, without the outer scopes, which the user of that code chooses."""
    layout: TensorLayout = "same"

    def to_ours(self, tensor: Tensor) -> Tensor:
        """Return a tensor of the other code in the layout of Attest."""
        if self.layout == "row" and tensor.dim() == 2 and len(tensor) == 1:
            return tensor[0]
        return tensor.mT if self.layout == "kernel" and tensor.dim() == 2 else tensor

    def to_theirs(self, tensor: Tensor) -> Tensor:
        """Return a tensor of Attest in the layout of the other code."""
        return tensor.mT if self.layout == "kernel" else tensor[None] if self.layout == "row" else tensor


@dataclass(frozen=True, eq=False)
class ModuleWeight:
    """A weight of a task, with the module that holds it."""

    prefix: str
    """The name of the module in the task: encoder or head."""
    module: nn.Module
    names: WeightNames
    """Its names, and its layout in the other code."""

    @property
    def name(self) -> str:
        """The name in the state dict of the task."""
        return f"{self.prefix}.{self.names.ours}"

    @property
    def tensor(self) -> Tensor:
        """The numbers of the weight in the module."""
        return self.module.state_dict()[self.names.ours]


def dense_weights(ours: str, theirs: str, kernel: str = "W", bias: str | None = "bias") -> list[WeightNames]:
    """Return the matrix and the biases of a dense layer of TensorFlow; if `bias` is None, the layer has none."""
    weights = [WeightNames(f"{ours}.weight", f"{theirs}/{kernel}", "kernel")]
    return weights if bias is None else [*weights, WeightNames(f"{ours}.bias", f"{theirs}/{bias}")]


def linear_weights(ours: str, theirs: str, *, bias: bool = True) -> list[WeightNames]:
    """Return the matrix and the biases of a linear layer of torch."""
    return [WeightNames(f"{ours}.{kind}", f"{theirs}.{kind}") for kind in ("weight", *(("bias",) if bias else ()))]


@dataclass(frozen=True)
class AuthorsCode:
    """The names of one public code for the weights of one class of encoders."""

    title: str
    """The name of the code in error messages."""
    url: str
    encoder: type[nn.Module]
    """The class of encoders that computes the same function."""
    encoder_weights: Callable[[nn.Module], Sequence[WeightNames]]
    """The weights of an encoder. Raise SettingsError if the code has no such encoder."""
    head_weights: Callable[[nn.Module], Sequence[WeightNames]]
    """The weights of a head; none if the code has no such head."""
    embedding: str | None = None
    """The name of the table of word vectors, whose first row is that of the first word."""
