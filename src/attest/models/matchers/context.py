"""The items that DAM aligns: words, words in context or n-grams (Lopez-Gazpio et al. 2019, sections 3.1 to 3.3).

Legend: N rows of a layout (words), M items, S sentences, D features of a word, W features of an item.
"""

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.models.attention import Layout
from attest.models.kernels.dropout import Dropout
from attest.models.matchers.recurrence import run_walks

ContextName = Literal["none", "recurrence", "convolution", "ngrams"]
ContextWidth = Literal["doubled", "kept"]


class Context(nn.Module, ABC):
    """The base class of contexts, which map words (N, D) and their layout to items (M, W) and their layout."""

    width: int
    """The number of features W of an item."""

    @abstractmethod
    def forward(self, x_ND: Tensor, layout: Layout) -> tuple[Tensor, Layout]: ...


class Words(Context):
    """The context of DAM BoW: the items are the words themselves."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.width = size

    def forward(self, x_ND: Tensor, layout: Layout) -> tuple[Tensor, Layout]:
        return x_ND, layout


class BothDirections(Context):
    """The base class of contexts with a GRU in each direction.

    `width` is doubled, as in the paper, so that W = 2 D, or kept, so that W = D and each GRU has D / 2 units.
    """

    symbols: ClassVar[dict[str, str]] = {
        f"gru.{kind}_{place}_l0{suffix}": f"RNN^{direction}, {meaning} of the {what}"
        for kind, meaning in (("weight", "weights"), ("bias", "biases"))
        for place, what in (("ih", "input"), ("hh", "state"))
        for suffix, direction in (("", "f"), ("_reverse", "b"))
    }

    def __init__(self, input_size: int, size: int, width: ContextWidth, dropout: float) -> None:
        super().__init__()
        if width == "kept" and size % 2:
            raise ValueError(f"context_width: kept halves hidden_size, and {size} is odd; use an even hidden_size")
        units = size if width == "doubled" else size // 2
        self.width = 2 * units
        self.gru = nn.GRU(input_size, units, bidirectional=True)
        self.dropout = Dropout(dropout)


class Recurrence(BothDirections):
    """The context of DAM RNN (section 3.1): S_i = [RNN^f_i(S); RNN^b_i(S)], the states of both directions at word i."""

    def forward(self, x_ND: Tensor, layout: Layout) -> tuple[Tensor, Layout]:
        x_ND, sides = self.dropout(x_ND), []
        for start_S, backward in ((layout.first_B, False), (layout.last_B, True)):
            rows_M, _, states_MH = run_walks(
                self.gru, x_ND, start_S, layout.length_B, backward=backward, known_lengths=layout.known_lengths
            )
            sides.append(states_MH.new_zeros(len(x_ND), states_MH.shape[1]).index_copy(0, rows_M, states_MH))
        return torch.cat(sides, dim=-1), layout


class Convolution(Context):
    """The context of DAM CNN (section 3.2): S_i = [S_i; FM_i(S)], where FM are feature maps over `span` words.

    Zeros stand outside the sentence. If the span is even, word i is the right one of its two middle words.
    """

    symbols: ClassVar[dict[str, str]] = {"filters.weight": "CNN, weights", "filters.bias": "CNN, biases"}

    def __init__(self, size: int, span: int, dropout: float) -> None:
        super().__init__()
        self.width, self.span = 2 * size, span
        self.filters = nn.Linear(span * size, size)
        self.dropout = Dropout(dropout)

    def forward(self, x_ND: Tensor, layout: Layout) -> tuple[Tensor, Layout]:
        near = torch.cat([shift_words(x_ND, layout, place - self.span // 2) for place in range(self.span)], dim=-1)
        return torch.cat([x_ND, self.filters(self.dropout(near))], dim=-1), layout


def shift_words(x_ND: Tensor, layout: Layout, offset: int) -> Tensor:
    """Return for each word the one `offset` positions later in its sentence (N, D); zeros where there is none."""
    place_N = layout.position_N + offset
    outside_N = (place_N < 0) | (place_N >= layout.length_B[layout.sentence_N]) | ~layout.real_N
    rows_N = (torch.arange(len(x_ND), device=x_ND.device) + offset).masked_fill(outside_N, 0)
    return x_ND[rows_N].masked_fill(outside_N[:, None], 0)


class NGrams(BothDirections):
    """The context of DAM N-gram (section 3.3): S_xy = [RNN^f(x .. y); RNN^b(x .. y)], for n-grams of 1 to `span` words.

    Two walks (see `run_walks`) begin at every word, one forward and one backward, of `span` steps or fewer at the end
    of the sentence. The forward state k words after its start x and the backward state k words before its start y = x +
    k are those of the n-gram x .. y. So `span` steps give all |S| span - sum_{i < span} i n-grams of a sentence, which
    are ordered by x, then y.
    """

    def __init__(self, input_size: int, size: int, span: int, width: ContextWidth, dropout: float) -> None:
        super().__init__(input_size, size, width, dropout)
        self.span = span

    def forward(self, x_ND: Tensor, layout: Layout) -> tuple[Tensor, Layout]:
        x_ND, row_N = self.dropout(x_ND), torch.arange(len(x_ND), device=x_ND.device)
        ahead_N = (layout.length_B[layout.sentence_N] - layout.position_N).masked_fill(~layout.real_N, 0)
        behind_N = (layout.position_N + 1).masked_fill(~layout.real_N, 0)
        ahead_N, behind_N = ahead_N.clamp(max=self.span), behind_N.clamp(max=self.span)
        lengths = layout.known_lengths
        known_lengths = (
            None if lengths is None else [min(rest + 1, self.span) for length in lengths for rest in range(length)]
        )
        onward_M, steps_M, onward_MH = run_walks(self.gru, x_ND, row_N, ahead_N, known_lengths=known_lengths)
        back_M, back_steps_M, back_MH = run_walks(
            self.gru, x_ND, row_N, behind_N, backward=True, known_lengths=known_lengths
        )
        first_M = onward_M - steps_M
        order_M = (first_M * self.span + steps_M).argsort()
        back_order_M = (back_M * self.span + back_steps_M).argsort()  # a backward walk ends where its n-gram begins
        grams_MW = torch.cat([onward_MH[order_M], back_MH[back_order_M]], dim=-1)
        number_S = torch.zeros_like(layout.length_B).index_add(0, layout.sentence_N[first_M], torch.ones_like(first_M))
        numbers = number_S.tolist() if lengths is None else [count_ngrams(length, self.span) for length in lengths]
        places = torch.arange(max([1, *numbers]), device=x_ND.device)
        grams = Layout(places < number_S[:, None], packed=True, multiple=layout.multiple, known_lengths=numbers)
        return F.pad(grams_MW, (0, 0, 0, len(grams.place_N) - len(grams_MW))), grams


def count_ngrams(words: int, span: int) -> int:
    """Return the number of n-grams of 1 to `span` words in a sentence."""
    return sum(max(0, words - before) for before in range(span))


def build_context(
    name: ContextName, input_size: int, size: int, span: int | None, width: ContextWidth, dropout: float
) -> Context:
    """Return the context of this name; raise ValueError if a setting does not apply to it.

    `input_size` is that of the words that a GRU reads, `span` the words of a filter or of the longest n-gram.
    """
    needs_span = name in ("convolution", "ngrams")
    if needs_span != (span is not None):
        raise ValueError(f"span: context={name} {'needs span=...' if needs_span else 'has no span; leave it out'}")
    if width != "doubled" and name in ("none", "convolution"):
        raise ValueError(f"context_width: context={name} has a fixed width; leave context_width out")
    if name == "none":
        return Words(size)
    if name == "recurrence":
        return Recurrence(input_size, size, width, dropout)
    assert span is not None
    return Convolution(size, span, dropout) if name == "convolution" else NGrams(input_size, size, span, width, dropout)
