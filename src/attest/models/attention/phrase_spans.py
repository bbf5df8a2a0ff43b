"""The phrases of a batch: where they begin, how long they are, and which words a word may attend to within them.

Legend: B sentences, T positions of the longest sentence, N rows of a layout, P phrases.
"""

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from attest.models.arguments import check_argument
from attest.models.attention.layout import Layout


@dataclass(frozen=True, eq=False)
class PhraseSpans:
    """The phrases of one level in the rows of a layout; at level 0 each sentence is a phrase.

    That the phrases of a level lie within those of the level above is up to the caller (see `Layout.phrases_BT`).

    A sentence of four words, whose two phrases of level 1 begin at the words 0 and 3:

        >>> mask, phrases = torch.ones(1, 4, dtype=torch.bool), torch.tensor([[1, 0, 0, 1]])
        >>> PhraseSpans(Layout(mask, packed=True, phrases_BT=phrases), level=1).length_P
        tensor([3, 1])
    """

    layout: Layout
    level: int

    def __post_init__(self) -> None:
        """Raise ValueError if the level is negative, or if the layout has no phrases of this level."""
        check_argument("level", self.level, int)
        if self.level < 0:
            raise ValueError(f"level is {self.level}; use 0 for whole sentences, or the level of the phrases")
        if self.level == 0:
            return
        phrases_BT = self.layout.phrases_BT
        if phrases_BT is None:
            raise ValueError("the sentences come without phrases, which this encoder needs; pass phrases=...")
        if self.level > (bits := torch.iinfo(phrases_BT.dtype).bits):
            raise ValueError(
                f"phrases are {phrases_BT.dtype}, whose {bits} bits hold no level {self.level}; use a type with at "
                f"least {self.level} bits"
            )

    @cached_property
    def starts_N(self) -> Tensor:
        """A boolean mask of the rows: True where a phrase begins. Whatever the bits say, none spans two sentences."""
        starts_N = (self.layout.position_N == 0) & self.layout.real_N
        if self.level == 0 or self.layout.phrases_BT is None:
            return starts_N
        bits_N = self.layout.phrases_BT.flatten()[self.layout.place_N]
        return starts_N | ((bits_N >> (self.level - 1) & 1).bool() & self.layout.real_N)

    @cached_property
    def phrase_N(self) -> Tensor:
        """The index of the phrase of each row; for a row without a word, that of the phrase before it."""
        return self.starts_N.cumsum(0) - 1

    @cached_property
    def first_P(self) -> Tensor:
        """The first row of each phrase."""
        return self.starts_N.nonzero().squeeze(1)

    @cached_property
    def length_P(self) -> Tensor:
        """The number of words of each phrase."""
        return torch.bincount(self.phrase_N[self.layout.real_N])

    def key_range(self) -> tuple[Tensor, Tensor]:
        """Return the ranges of the words in the phrase of each row, in the form of `Layout.key_range`."""
        if not len(self.length_P):
            nothing_N = torch.zeros_like(self.phrase_N, dtype=torch.int32)
            return nothing_N, nothing_N
        start_P = self.layout.position_N[self.first_P]
        ranges = (start_P, start_P + self.length_P)
        start_N, end_N = (x[self.phrase_N.clamp(min=0)] * self.layout.real_N for x in ranges)
        return start_N.int(), end_N.int()
