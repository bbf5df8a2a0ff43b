"""The base classes of poolings and of encoders that pool words in context into one vector, and max pooling.

Legend: B batch, T time, N rows of a layout (words), D features.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

from torch import Tensor, nn

from attest.models.attention import Layout, max_weights, max_words
from attest.models.encoders.base import Encoder


class Pooling(nn.Module, ABC):
    """The base class of poolings, which map the words of a sentence (N, D) to one vector (B, D)."""

    map_name: ClassVar[str]
    """The name of the weights among an encoder's attention maps."""

    @abstractmethod
    def forward(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return s (B, D) of the rows of a layout."""

    @abstractmethod
    def weights(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the weights (B, T, D) of the words, per feature."""


class MaxPooling(Pooling):
    """Max pooling: s_k = max_i x_ik, the highest value of each feature among the words of a sentence."""

    map_name: ClassVar[str] = "maximum"

    def forward(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return max_words(x_ND, layout)

    def weights(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return max_weights(x_ND, layout)


class PooledEncoder(Encoder):
    """The base class of encoders that pool words in context into one vector.

    A subclass defines `encode_words`, and its constructor sets `pooling`.
    """

    pooling: Pooling

    @abstractmethod
    def encode_words(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the words in context (N, W) of the rows of a layout."""

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return self.pooling(self.encode_words(x_ND, layout), layout)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        return {self.pooling.map_name: self.pooling.weights(self.encode_words(x_ND, layout), layout)}
