"""The interface of every head.

Legend: B batch, W width of a sentence vector, O outputs.
"""

from typing import ClassVar

from torch import nn


class Head(nn.Module):
    """Sentence vectors (B, W), one or two, to outputs (B, O)."""

    version: ClassVar[int] = 1
    symbols: ClassVar[dict[str, str]] = {}
