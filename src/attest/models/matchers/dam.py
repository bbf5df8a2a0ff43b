"""Decomposable attention (Parikh et al. 2016) over words, words in context or n-grams: Lopez-Gazpio et al. 2019.

Legend: N rows of a layout (words), M items (words or n-grams), B pairs, I and J items of the one and of the other
sentence, E features of a word vector, D hidden features, W features of an item.
"""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.models.attention import Layout, masked_softmax
from attest.models.encoders.base import check_choice
from attest.models.matchers.base import Matcher
from attest.models.matchers.context import ContextName, ContextWidth, build_context
from attest.models.matchers.network import (
    VECTORS,
    Features,
    FeedForward,
    Initialisation,
    Initialised,
    initialise,
    join_vectors,
    network_symbols,
)
from attest.models.matchers.scores import Attention, ScoreActivation, build_scores

Compared = Literal["transformed", "projected"]
ContextInput = Literal["projected", "embedded"]
Scored = Literal["transformed", "items"]


class DAM(Matcher):
    """Attend and compare (section 2.2); the head aggregates.

    S'    = F(S),  S_1, S_2 = context(S')                     words, words in context, or n-grams
    e_ij  = S_1i . S_2j                                       or another attention (section 3.4)
    b_2i  = sum_j softmax_j(e_ij) S_2j,   a_1j = sum_i softmax_i(e_ij) S_1i
    v_1i  = G([S_1i; b_2i]),              v_2j = G([S_2j; a_1j])
    V_1   = sum_i v_1i,                   V_2  = sum_j v_2j

    Words are projected to D features first, without a bias. `compared` says what F is for: transformed, as printed, its
    output is attended with, aligned and compared; projected, as in every code of DAM, it makes scores alone, of the
    items of the projected words. `features` are what G is given of an item and of what it is aligned with.

    `context_input` is what a GRU reads: words as they are compared, which is F's output or the projected words, or the
    word vectors themselves (embedded), which then are projected nowhere.

    Attention that has a network of its own needs no F before it: `scored` says whether scores are made of F's output,
    or of the items. Then, as projected words are compared, F has no part and is not there.

    Dropout falls on the input of every layer, the context's too: then an n-gram of the one sentence and the same n-gram
    of the other are made of words dropped differently, and are not equal while the model trains. `context_dropout` is
    what the context has in place of `dropout`.
    """

    version: ClassVar[int] = 3
    """1 had a ReLU on scores unless told otherwise; 2 made losses of grades, and a layer of scores, in bf16."""
    symbols: ClassVar[dict[str, str]] = {
        "projection.weight": "projection of the words",
        **network_symbols("transform", "F"),
        **network_symbols("compare", "G"),
    }

    def __init__(
        self,
        input_size: int,
        hidden_size: int = 200,
        *,
        context: ContextName = "none",
        span: int | None = None,
        context_width: ContextWidth = "doubled",
        context_input: ContextInput = "projected",
        attention: Attention = "dot",
        score_activation: ScoreActivation = "linear",
        compared: Compared = "transformed",
        scored: Scored = "transformed",
        features: Features = "vectors",
        initialisation: Initialisation = "normal",
        initial: float = 0.01,
        initialised: Initialised = "all",
        dropout: float = 0.0,
        context_dropout: float | None = None,
    ) -> None:
        super().__init__()
        for name, value, choices in (
            ("context", context, ContextName),
            ("context_width", context_width, ContextWidth),
            ("context_input", context_input, ContextInput),
            ("compared", compared, Compared),
            ("scored", scored, Scored),
            ("features", features, Features),
        ):
            check_choice(name, value, choices)
        if context == "none" and context_dropout is not None:
            raise ValueError("context_dropout: context=none has no layer for it")
        embedded = context_input == "embedded"
        if embedded and context not in ("recurrence", "ngrams"):
            raise ValueError(f"context_input: context={context} has no GRU that could read word vectors")
        if embedded and compared == "transformed":
            raise ValueError("context_input: compared=transformed gives the GRU F's output")
        if scored == "items" and compared == "transformed":
            raise ValueError("scored: compared=transformed has F before the items; items are for compared=projected")
        self.width = hidden_size
        self.features: Features = features
        self.transforms_words = compared == "transformed"
        self.projection = nn.Identity() if embedded else nn.Linear(input_size, hidden_size, bias=False)
        of_context = dropout if context_dropout is None else context_dropout
        read = input_size if embedded else hidden_size
        self.context = build_context(context, read, hidden_size, span, context_width, of_context)
        item = self.context.width
        self.transforms_items = not self.transforms_words and scored == "transformed"
        if scored == "transformed":
            self.transform = FeedForward(hidden_size if self.transforms_words else item, hidden_size, dropout=dropout)
        given = hidden_size if self.transforms_items else item
        self.attention = build_scores(attention, given, hidden_size, score_activation, dropout)
        self.compare = FeedForward(VECTORS[features] * item, hidden_size, dropout=dropout)
        initialise(self, initialisation, initial, initialised)

    def items(self, x_NE: Tensor, layout: Layout) -> tuple[Tensor, Layout]:
        """S_1 and S_2, one behind the other, (M, W)."""
        words_ND = self.projection(x_NE)
        return self.context(self.transform(words_ND) if self.transforms_words else words_ND, layout)

    def weights(self, items_MW: Tensor, items: Layout) -> tuple[Tensor, Tensor]:
        """softmax_j(e_ij) and softmax_i(e_ij), both (B, I, J); zeros where the other sentence is empty."""
        first, second = items.grid(self.transform(items_MW) if self.transforms_items else items_MW).chunk(2)
        scores_BIJ = self.attention(first, second)
        first_BI, second_BJ = items.front_BT.chunk(2)
        return masked_softmax(scores_BIJ, second_BJ[:, None], 2), masked_softmax(scores_BIJ, first_BI[..., None], 1)

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        items_MW, items = self.items(x_ND, layout)
        to_second_BIJ, to_first_BIJ = self.weights(items_MW, items)
        first, second = items.grid(items_MW).chunk(2)
        aligned_MW = items.words(torch.cat([to_second_BIJ @ second, to_first_BIJ.mT @ first]))
        compared_MD = self.compare(join_vectors(items_MW, aligned_MW, self.features)).masked_fill(
            ~items.real_N[:, None], 0
        )
        sums = compared_MD.new_zeros(len(items.length_B), self.width)
        return sums.index_add(0, items.sentence_N, compared_MD)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        """For each sentence the weights of its items over those of the other one of its pair."""
        to_second_BIJ, to_first_BIJ = self.weights(*self.items(x_ND, layout))
        return {"alignment": torch.cat([to_second_BIJ, to_first_BIJ.mT])}
