"""Parallel attention blocks, then source2token attention: the form of DiSAN (Figure 4) and of Fast-DiSA.

Legend: B batch, T time, N rows of a layout (words), E width of the word vectors, D features, W width of the sentence
vector.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn

from attest.models.arguments import CheckedArguments, Size
from attest.models.attention import Direction, Layout
from attest.models.encoders.pooled import PooledEncoder, Pooling


class Block(CheckedArguments, nn.Module, ABC):
    """The base class of attention blocks, which map word vectors (N, E) to words in context (N, D) in one direction."""

    direction: Direction
    """The positional mask of the block."""

    @abstractmethod
    def maps(self, x_NE: Tensor, layout: Layout) -> dict[str, Tensor]:
        """Return the attention weights (B, query, key, ...) and the gate (B, T, D) by name."""


class ParallelBlocks(PooledEncoder):
    """An encoder of parallel blocks, one for each of `directions`, with separate weights.

    The outputs of the blocks are concatenated, [u_fw; u_bw] (N, W) with W = hidden_size times the number of blocks, and
    pooled to one vector (B, W). `make_block` returns a new block for a direction, `make_pooling` a pooling for a width
    W.
    """

    block_name: ClassVar[str] = "block"
    """The name of a block in error messages."""

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        directions: Sequence[Direction],
        make_block: Callable[[Direction], Block],
        make_pooling: Callable[[int], Pooling],
    ) -> None:
        super().__init__()
        if not directions:
            raise ValueError(f"directions is empty; name the mask of at least one {self.block_name}")
        self.input_size, self.width = input_size, hidden_size * len(directions)
        self.blocks = nn.ModuleList(make_block(direction) for direction in directions)
        self.pooling = make_pooling(self.width)

    def encode_words(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the words in context, [u_fw; u_bw] (N, W)."""
        return torch.cat([block(x_ND, layout) for block in self.blocks], dim=-1)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        maps = {}
        for index, block in enumerate(self.blocks):
            assert isinstance(block, Block)
            maps |= {f"{name}_{index}_{block.direction}": value for name, value in block.maps(x_ND, layout).items()}
        return {**maps, **super().maps(x_ND, layout)}
