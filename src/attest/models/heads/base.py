"""The interface of every head.

Legend: B batch, W width of a sentence vector, C classes or grades.
"""

from typing import ClassVar

from torch import Tensor, nn

from attest.models.arguments import CheckedArguments, check_tensors, check_type


class Head(CheckedArguments, nn.Module):
    """The base class of heads, which map one or two sentence vectors (B, W) to logits (B, C).

    The constructor takes `width` (W) and `classes` (C) first. A call takes one tensor (B, W) for sentences, or two for
    pairs. Calls raise ValueError if a shape or a type does not fit.
    """

    version: ClassVar[int] = 1
    """The version of the code, which is part of the run id. Raise it when equal settings give different numbers."""
    symbols: ClassVar[dict[str, str]] = {}
    """The paper's symbol for each of the module's own parameters, by name."""

    width: int
    """The length W of a sentence vector."""

    def check_vectors(self, *vectors_BW: Tensor) -> None:
        """Raise ValueError unless all sentence vectors have one shape (B, W) and the type of the head."""
        for vector_BW in vectors_BW:
            check_tensors(**{"a sentence vector": vector_BW})
        shapes = [x_BW.shape for x_BW in vectors_BW]
        if len(shapes[0]) != 2 or shapes[0][1] != self.width or any(shape != shapes[0] for shape in shapes):
            given = ", ".join(str(tuple(shape)) for shape in shapes)
            raise ValueError(f"{type(self).__name__} was given {given}; use sentence vectors (batch, {self.width})")
        for vector_BW in vectors_BW:
            check_type(self, **{"a sentence vector": vector_BW})
