"""The layout of a batch: which rows of a matrix (N, D) are the words of which sentence.

Dense layers cost as much for padding as for words, and half of an unsorted batch is padding. Therefore words are
packed: the batch is a matrix with one row per word. A layout converts between the three forms of a batch:

batch  (B, T, ...)  as the caller has it, with padding wherever the mask is False
rows   (N, ...)     what encoders compute with: words alone (packed), or all B x T positions (padded)
grid   (B, T, ...)  the words of each sentence in front and zeros behind them

Legend: B sentences, T positions of the longest sentence, N rows, D features.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.arguments import Size, check_argument, check_choice, check_tensors
from attest.models.attention.directions import Direction

INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
"""The integer types of torch, which the bits of phrases and lengths may have."""


@dataclass(frozen=True, eq=False)
class Layout:
    """The positions of the words of a batch. Sentence b has the rows first_B[b] to first_B[b] + length_B[b] - 1.

    Two sentences of two words and of one word, whose words are packed into three rows:

        >>> layout = Layout(torch.tensor([[True, True, False], [True, False, False]]), packed=True)
        >>> layout.rows(torch.arange(6.0).reshape(2, 3, 1)).flatten()
        tensor([0., 1., 3.])
    """

    mask_BT: Tensor
    """The mask of the batch: True at words, False at padding, which may stand anywhere if the rows are packed."""
    packed: bool
    """True if the rows are words alone. Else they are all B x T positions, with the padding behind the words."""
    multiple: int = 1
    """The divisor of the number of packed rows: filler rows, which belong to no sentence, are appended until it divides
    the number. In bf16 torch plans a matrix product for each new number of rows, which takes longer than the
    product."""
    sides: int = 1
    """The number of sentences per example, 1 or 2. All first sentences of pairs stand in front of all second ones."""
    phrases_BT: Tensor | None = None
    """The phrases (B, T), for encoders that attend within them: bit t - 1 is set where a phrase of level t begins.

    They may stay on the host while the mask is on a device. The host reads them, since they decide on the sizes of
    tensors.

    Each level is read by itself. If the phrases of a level are to lie within those of the level above, the caller must
    also set the bits of all further levels where a phrase of level t begins."""
    known_lengths: Sequence[int] | None = None
    """The number of words of each sentence, if the maker of the batch knows it and words stand in front of the padding.

    Shapes then follow from these numbers. If they are None, the processor waits for the device to count words."""

    def __post_init__(self) -> None:
        check_tensors(mask=self.mask_BT, **({} if self.phrases_BT is None else {"phrases": self.phrases_BT}))
        if self.mask_BT.dtype != torch.bool or self.mask_BT.dim() != 2:
            raise ValueError(f"the mask is {self.mask_BT.dtype} {tuple(self.mask_BT.shape)}; use boolean (batch, time)")
        if self.known_lengths is not None and len(self.known_lengths) != len(self.mask_BT):
            raise ValueError(
                f"{len(self.known_lengths)} lengths are known; use one for each of {len(self.mask_BT)} sentences"
            )
        padded = not self.packed and self.known_lengths is None
        if padded and bool((self.mask_BT[:, 1:] & ~self.mask_BT[:, :-1]).any()):
            raise ValueError("the mask has padding in front of a word; put it behind the words, or use packed=True")
        check_argument("packed", self.packed, bool)
        check_argument("multiple", self.multiple, Size)
        check_argument("sides", self.sides, Size)
        if len(self.mask_BT) % self.sides:
            raise ValueError(f"sides is {self.sides}, which does not divide the {len(self.mask_BT)} sentences")
        phrases = self.phrases_BT
        if phrases is not None and (phrases.dtype not in INTEGERS or phrases.shape != self.mask_BT.shape):
            raise ValueError(
                f"phrases are {phrases.dtype} {tuple(phrases.shape)}; use integers of the shape of the mask, "
                f"{tuple(self.mask_BT.shape)}"
            )

    @cached_property
    def on_host(self) -> "Layout":
        """This layout with its tensors on the host, so that their numbers are read without a wait for the device.

        If the lengths are known and the phrases are on the host already, making it takes no wait either.
        """
        if self.mask_BT.device.type == "cpu":
            return self
        known, time_T = self.known_lengths, torch.arange(self.mask_BT.shape[1], device="cpu")
        mask_BT = self.mask_BT.cpu() if known is None else time_T < torch.tensor([*known], device="cpu")[:, None]
        return replace(self, mask_BT=mask_BT, phrases_BT=None if self.phrases_BT is None else self.phrases_BT.cpu())

    @cached_property
    def length_B(self) -> Tensor:
        """The number of words of each sentence."""
        return self.mask_BT.sum(1)

    @cached_property
    def word_count(self) -> int:
        """The number of words of all sentences."""
        return int(self.length_B.sum()) if self.known_lengths is None else sum(self.known_lengths)

    @cached_property
    def longest_B(self) -> Tensor:
        """The length (B,) of the longest sentence on the side of each sentence: among all first or all second ones."""
        length_SB = self.length_B.reshape(self.sides, -1)
        return length_SB.amax(1, keepdim=True).expand_as(length_SB).flatten()

    @cached_property
    def first_B(self) -> Tensor:
        """The row of the first word of each sentence; for an empty sentence, the row where a first word would stand."""
        if self.packed:
            return self.length_B.cumsum(0) - self.length_B
        return torch.arange(len(self.mask_BT), device=self.mask_BT.device) * self.mask_BT.shape[1]

    @cached_property
    def last_B(self) -> Tensor:
        """The row of the last word of each sentence; without meaning for an empty sentence."""
        return self.first_B + self.length_B - 1

    @cached_property
    def place_N(self) -> Tensor:
        """The index of each row in the flattened (B, T); 0 for filler rows."""
        flat = self.mask_BT.flatten()
        if not self.packed:
            return torch.arange(len(flat), device=flat.device)
        words = flat.nonzero().squeeze(1) if self.known_lengths is None else self.grid_place_N
        return F.pad(words, (0, -len(words) % self.multiple))

    @cached_property
    def grid_mask_BT(self) -> Tensor:
        """The mask (B, T) of a grid: True at the first length_B[b] positions of sentence b."""
        return torch.arange(self.mask_BT.shape[1], device=self.mask_BT.device) < self.length_B[:, None]

    @cached_property
    def grid_place_N(self) -> Tensor:
        """The index of each word in the flattened (B, T) of a grid, without filler rows."""
        number_B, batch = torch.arange(len(self.mask_BT), device=self.mask_BT.device), self.mask_BT.shape
        sentence_N = number_B.repeat_interleave(self.length_B, output_size=self.word_count)
        before_N = (number_B * batch[1] - (self.length_B.cumsum(0) - self.length_B))[sentence_N]
        return before_N + torch.arange(self.word_count, device=self.mask_BT.device)

    @cached_property
    def sentence_N(self) -> Tensor:
        """The index of the sentence that each row belongs to."""
        return self.place_N // max(1, self.mask_BT.shape[1])

    @cached_property
    def position_N(self) -> Tensor:
        """The position of each row in its sentence, counted from 0."""
        return torch.arange(len(self.place_N), device=self.place_N.device) - self.first_B[self.sentence_N]

    @cached_property
    def real_N(self) -> Tensor:
        """A boolean mask of the rows: True at words, False at padding and filler rows."""
        if self.packed:
            return torch.arange(len(self.place_N), device=self.place_N.device) < self.length_B.sum()
        return self.mask_BT.flatten()

    def rows(self, x_BTD: Tensor) -> Tensor:
        """Return the rows (N, ...) of a batch (B, T, ...); padding and filler rows are zero.

        Raise ValueError if the batch has another shape than the mask, whose positions would be those of other words.
        """
        check_tensors(x=x_BTD)
        if x_BTD.shape[:2] != self.mask_BT.shape:
            raise ValueError(
                f"x is {tuple(x_BTD.shape)} and the mask {tuple(self.mask_BT.shape)}; use one batch and time for both"
            )
        flat = x_BTD.flatten(0, 1)
        if self.packed:
            flat = flat.index_select(0, self.place_N)
            if self.multiple == 1:
                return flat
        return flat.masked_fill(~self.real_N.reshape(-1, *[1] * (flat.dim() - 1)), 0)

    def check_rows(self, **matrices_ND: Tensor) -> None:
        """Raise ValueError if the matrices of these names do not have the rows of the layout and one width (N, D)."""
        check_tensors(**matrices_ND)
        shapes = [x_ND.shape for x_ND in matrices_ND.values()]
        if len(shapes[0]) != 2 or any(shape != shapes[0] for shape in shapes) or shapes[0][0] != len(self.place_N):
            given = ", ".join(f"{name} {tuple(x_ND.shape)}" for name, x_ND in matrices_ND.items())
            raise ValueError(f"{given}; use one shape (rows, features) with the {len(self.place_N)} rows of the layout")

    def grid(self, x_ND: Tensor) -> Tensor:
        """Return the grid (B, T, ...) of rows (N, ...): the words of each sentence in front, zeros behind them."""
        check_tensors(rows=x_ND)
        if len(x_ND) != len(self.place_N):
            raise ValueError(f"rows are {tuple(x_ND.shape)}; use the {len(self.place_N)} rows of the layout")
        batch, time = self.mask_BT.shape
        if not self.packed:
            return x_ND.reshape(batch, time, *x_ND.shape[1:])
        flat = x_ND.new_zeros(batch * time, *x_ND.shape[1:])
        flat = flat.index_copy(0, self.grid_place_N, x_ND[: self.word_count])
        return flat.reshape(batch, time, *x_ND.shape[1:])

    def rows_of_grid(self, x_BTD: Tensor) -> Tensor:
        """Return the rows (N, ...) of a grid (B, T, ...), the reverse of `grid`."""
        if not self.packed:
            return x_BTD.flatten(0, 1)
        words_ND = x_BTD.flatten(0, 1).index_select(0, self.grid_place_N)
        filling = len(self.place_N) - len(words_ND)
        return torch.cat([words_ND, words_ND.new_zeros(filling, *words_ND.shape[1:])]) if filling else words_ND

    def key_range(self, direction: Direction) -> tuple[Tensor, Tensor]:
        """Return the ranges of words that the rows may attend to: `start` and `end`, both (N,) int32.

        Row n may attend to the positions start_N[n] to end_N[n] - 1 of its sentence. For the direction `diagonal` the
        caller must leave out the word itself. Raise ValueError for an unknown direction.
        """
        check_choice("direction", direction, Direction)
        position_N, length_N = self.position_N, self.length_B[self.sentence_N]
        start_N = position_N + 1 if direction == "backward" else torch.zeros_like(position_N)
        end_N = position_N if direction == "forward" else length_N
        return start_N.int(), end_N.int()
