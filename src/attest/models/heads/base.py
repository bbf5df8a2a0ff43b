"""The interface of every head.

Legend: B batch, W width of a sentence vector, C classes or grades.
"""

from typing import ClassVar

from torch import nn


class Head(nn.Module):
    """The base class of heads, which map one or two sentence vectors (B, W) to logits (B, C).

    The constructor takes `width` (W) and `classes` (C) first.
    """

    version: ClassVar[int] = 1
    """The version of the code, which is part of the run id. Raise it when equal settings give different numbers."""
    symbols: ClassVar[dict[str, str]] = {}
    """The paper's symbol for each of the module's own parameters, by name."""
