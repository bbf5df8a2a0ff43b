"""Where the sentences of a batch stand: in a matrix with one row per word, or per place with padding between.

Dense layers cost as much for padding as for words, and half of an unsorted batch is padding. So words are packed:
a batch is (N, D) with N words, and the layout says which rows are whose.

Legend: B sentences, b those of a part, T places of the longest, N rows, D features.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.attention.directions import Direction

SENTENCES_PER_PART = 16
"""How many are padded together in parts of a batch."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Sentence b holds the rows first[b] to first[b] + length[b] - 1."""

    mask_BT: Tensor
    """True at words, wherever in its row the padding stands."""
    packed: bool
    """Rows are words alone; else they are all places, B x T, and padding stands behind the words."""
    multiple: int = 1
    """Packed rows are filled up to a multiple of this with rows that belong to no sentence. Matrix products in bf16
    are planned anew for each number of rows, which takes longer than the products: few numbers should occur."""
    sides: int = 1
    """2 where all first sentences of pairs stand in front of all second ones."""
    phrases_BT: Tensor | None = None
    """Bit t - 1 is set where a phrase of level t begins, for encoders that attend within phrases."""

    def __post_init__(self) -> None:
        if self.mask_BT.dtype != torch.bool or self.mask_BT.dim() != 2:
            raise ValueError(f"a mask is boolean (batch, time); got {self.mask_BT.dtype} {tuple(self.mask_BT.shape)}")
        if not self.packed and bool((self.mask_BT[:, 1:] & ~self.mask_BT[:, :-1]).any()):
            raise ValueError("the padding of a mask stands behind the words; this one has padding in front of a word")

    @cached_property
    def length_B(self) -> Tensor:
        return self.mask_BT.sum(1)

    @cached_property
    def longest_B(self) -> Tensor:
        """For each sentence the length of the longest on its side of the pairs."""
        length_SB = self.length_B.reshape(self.sides, -1)
        return length_SB.amax(1, keepdim=True).expand_as(length_SB).flatten()

    @cached_property
    def first_B(self) -> Tensor:
        if self.packed:
            return self.length_B.cumsum(0) - self.length_B
        return torch.arange(len(self.mask_BT), device=self.mask_BT.device) * self.mask_BT.shape[1]

    @cached_property
    def last_B(self) -> Tensor:
        """The row of the last word of each sentence that has words."""
        return self.first_B + self.length_B - 1

    @cached_property
    def place_N(self) -> Tensor:
        """Place of each row in the flattened (B, T); for rows that fill up, the first."""
        flat = self.mask_BT.flatten()
        if not self.packed:
            return torch.arange(len(flat), device=flat.device)
        words = flat.nonzero().squeeze(1)
        return F.pad(words, (0, -len(words) % self.multiple))

    @cached_property
    def sentence_N(self) -> Tensor:
        """Which sentence each row belongs to."""
        return self.place_N // max(1, self.mask_BT.shape[1])

    @cached_property
    def position_N(self) -> Tensor:
        """Which word of its sentence each row is, from 0."""
        return torch.arange(len(self.place_N), device=self.place_N.device) - self.first_B[self.sentence_N]

    @cached_property
    def real_N(self) -> Tensor:
        """True at words."""
        if self.packed:
            return torch.arange(len(self.place_N), device=self.place_N.device) < self.length_B.sum()
        return self.mask_BT.flatten()

    def rows(self, x_BTD: Tensor) -> Tensor:
        """(B, T, ...) to (N, ...). What is no word is zero."""
        flat = x_BTD.flatten(0, 1)
        if self.packed:
            flat = flat.index_select(0, self.place_N)
            if self.multiple == 1:
                return flat
        return flat.masked_fill(~self.real_N.reshape(-1, *[1] * (flat.dim() - 1)), 0)

    def grid(self, x_ND: Tensor) -> Tensor:
        """(N, ...) to (B, T, ...) with the words of each sentence in front and zeros behind them."""
        batch, time = self.mask_BT.shape
        if not self.packed:
            return x_ND.reshape(batch, time, *x_ND.shape[1:])
        words = int(self.length_B.sum())
        place_N = (self.sentence_N * time + self.position_N)[:words]
        flat = x_ND.new_zeros(batch * time, *x_ND.shape[1:]).index_copy(0, place_N, x_ND[:words])
        return flat.reshape(batch, time, *x_ND.shape[1:])

    def words(self, x_BTD: Tensor) -> Tensor:
        """The reverse of `grid`: (B, T, ...) with the words in front to (N, ...)."""
        if not self.packed:
            return x_BTD.flatten(0, 1)
        words_ND = x_BTD[self.front_BT]
        filling = len(self.place_N) - len(words_ND)
        return torch.cat([words_ND, words_ND.new_zeros(filling, *words_ND.shape[1:])]) if filling else words_ND

    @cached_property
    def parts(self) -> tuple[Tensor, list["Layout"]]:
        """Some sentences of like length at a time: the rows of their words, part by part, and the parts' layouts."""
        order_B = self.length_B.argsort()
        order_B = order_B[self.length_B[order_B] > 0]
        rows, parts = [order_B[:0]], []
        for begin in range(0, len(order_B), SENTENCES_PER_PART):
            sentence_b = order_B[begin : begin + SENTENCES_PER_PART]
            front_bT = self.front_BT[sentence_b, : int(self.length_B[sentence_b[-1]])]
            row_bT = self.first_B[sentence_b, None] + torch.arange(front_bT.shape[1], device=front_bT.device)
            rows.append(row_bT[front_bT])
            parts.append(Layout(front_bT, packed=True))
        return torch.cat(rows), parts

    def apply_in_parts(self, function: Callable[..., Tensor], *x_ND: Tensor) -> Tensor:
        """What `function` makes of a part's layout and grids (b, T, D), as rows (N, D): the same as of all sentences
        at once, with little padding. Rows that are no words get zeros."""
        rows_N, parts = self.parts
        words = [len(part.place_N) for part in parts]
        split = (x.index_select(0, rows_N).split(words) for x in x_ND)
        made = [part.words(function(part, *map(part.grid, x))) for part, *x in zip(parts, *split, strict=True)]
        return torch.zeros_like(x_ND[0]).index_copy(0, rows_N, torch.cat([x_ND[0][:0], *made]))

    @cached_property
    def front_BT(self) -> Tensor:
        """The mask of `grid`: True at the first length[b] places."""
        return torch.arange(self.mask_BT.shape[1], device=self.mask_BT.device) < self.length_B[:, None]

    def phrase_starts_N(self, level: int) -> Tensor:
        """True at the first word of each phrase of a level; at level 0, a sentence is one phrase."""
        starts_N = (self.position_N == 0) & self.real_N  # whatever the bits say, no phrase spans two sentences
        if level > 0:
            if self.phrases_BT is None:
                raise ValueError("these sentences come without phrases (structure), and this encoder needs them")
            bits_N = self.phrases_BT.flatten()[self.place_N]
            starts_N = starts_N | ((bits_N >> (level - 1) & 1).bool() & self.real_N)
        return starts_N

    def spans(self, level: int) -> tuple[Tensor, Tensor, Tensor]:
        """The first row of each phrase of a level (P,), its words (P,), and `phrase_N`."""
        starts_N = self.phrase_starts_N(level)
        phrase_N = starts_N.cumsum(0) - 1
        return starts_N.nonzero().squeeze(1), torch.bincount(phrase_N[self.real_N]), phrase_N

    def phrase_N(self, level: int) -> Tensor:
        """Which phrase of a level each row belongs to, counted from 0 on over all sentences. Rows that are no words
        count to the phrase before them."""
        return self.phrase_starts_N(level).cumsum(0) - 1

    def key_range(self, direction: Direction) -> tuple[Tensor, Tensor]:
        """For each row the words of its sentence that it may attend to: from `start` to `end` - 1, both (N,) int32.

        `diagonal` leaves out the word itself besides.
        """
        position_N, length_N = self.position_N, self.length_B[self.sentence_N]
        start_N = position_N + 1 if direction == "backward" else torch.zeros_like(position_N)
        end_N = position_N if direction == "forward" else length_N
        return start_N.int(), end_N.int()

    def phrase_key_range(self, level: int) -> tuple[Tensor, Tensor]:
        """The same for words that may attend to their own phrase of a level."""
        first_P, length_P, phrase_N = self.spans(level)
        if not len(length_P):
            return torch.zeros_like(phrase_N, dtype=torch.int32), torch.zeros_like(phrase_N, dtype=torch.int32)
        start_P = self.position_N[first_P]
        start_N, end_N = (x[phrase_N.clamp(min=0)] * self.real_N for x in (start_P, start_P + length_P))
        return start_N.int(), end_N.int()
