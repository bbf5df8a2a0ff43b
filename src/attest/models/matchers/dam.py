"""The Decomposable Attention Model (DAM) over words, words in context or n-grams: Lopez-Gazpio et al. 2019.

Legend: N rows of a layout (words), M items (words or n-grams), B pairs, I items of the first and J items of the second
sentence, E features of a word vector, D hidden features, W features of an item.
"""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.attention import Layout, masked_softmax
from attest.models.attention.pooling import sum_words
from attest.models.initialisation import InitialisedLayers, ParameterDistribution, initialise_parameters
from attest.models.matchers.base import Matcher
from attest.models.matchers.context import ContextName, ContextWidth, build_context
from attest.models.matchers.network import VECTORS, Features, FeedForward, join_vectors, network_symbols
from attest.models.matchers.scores import Attention, ScoreActivation, build_scores

Compared = Literal["transformed", "projected"]
ContextInput = Literal["projected", "embedded"]
Scored = Literal["transformed", "items"]


class DAM(Matcher):
    """The Decomposable Attention Model: Lopez-Gazpio et al. 2019, sections 2.2 and 3, after Parikh et al. 2016.

    This module attends and compares; the head Aggregation aggregates.

        S'    = F(S),  S_1, S_2 = context(S')                     words, words in context, or n-grams
        e_ij  = S_1i . S_2j                                       or another attention (section 3.4)
        b_2i  = sum_j softmax_j(e_ij) S_2j,   a_1j = sum_i softmax_i(e_ij) S_1i
        v_1i  = G([S_1i; b_2i]),              v_2j = G([S_2j; a_1j])
        V_1   = sum_i v_1i,                   V_2  = sum_j v_2j

    Word vectors S of both sentences (2 B sentences) -> V_1, V_2 (2 B, D). Words of `input_size` features are first
    projected to D = `hidden_size` features, without a bias. F is `transform`, G is `compare`, e_ij is `attention`. The
    settings:

        compared         the vectors that are aligned and compared: transformed, the output of F, as printed; or
                         projected, the words before F, as in every implementation of DAM, where only the scores use F
        scored           the vectors from which scores are computed: transformed, the output of F; or items, without F,
                         which suits an attention that has a network itself
        features         the input of G for an item a and its alignment b: a, b (vectors); |a - b|, a (.) b
                         (differences); all
        context          none, recurrence, convolution or ngrams; `span` is the width of a filter or of the longest
                         n-gram
        context_width    the width of a GRU's items: doubled, hidden_size for each direction, or kept
        context_input    the input of a GRU: projected, the words that are compared; or embedded, the word vectors
                         themselves, without a projection
        attention        dot, general or feed_forward (section 3.4); `score_activation` is that of feed_forward
        initialisation   normal (all parameters, biases included, N(0, initial^2)), uniform (all within +-initial), or
                         glorot (matrices Glorot-uniform, biases 0); `initialised` is all, or linear, which leaves GRUs
                         as torch initialises them
        dropout          on the input of every layer; `context_dropout` replaces it in the context, where otherwise
                         equal n-grams of the two sentences differ in training, since their words are dropped
                         independently

    Two pairs of sentences, of three and of five words, with their logits of three classes:

        >>> from attest.models import Aggregation
        >>> matcher, head = DAM(300, 200), Aggregation(200, classes=3)
        >>> first, second = torch.randn(2, 3, 300), torch.randn(2, 5, 300)
        >>> words = torch.ones(2, 3, dtype=torch.bool), torch.ones(2, 5, dtype=torch.bool)
        >>> head(*matcher.match(first, words[0], second, words[1])).shape
        torch.Size([2, 3])
    """

    version: ClassVar[int] = 3
    """The version of the code. Version 1 had a ReLU on scores by default; version 2 computed a layer of the scores, and
    the loss of grades, in bf16."""
    symbols: ClassVar[dict[str, str]] = {
        "projection.weight": "projection of the words",
        **network_symbols("transform", "F"),
        **network_symbols("compare", "G"),
    }

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size = 200,
        *,
        context: ContextName = "none",
        span: Size | None = None,
        context_width: ContextWidth = "doubled",
        context_input: ContextInput = "projected",
        attention: Attention = "dot",
        score_activation: ScoreActivation = "linear",
        compared: Compared = "transformed",
        scored: Scored = "transformed",
        features: Features = "vectors",
        initialisation: ParameterDistribution = "normal",
        initial: float = 0.01,
        initialised: InitialisedLayers = "all",
        dropout: float = 0.0,
        context_dropout: float | None = None,
    ) -> None:
        super().__init__()
        if context == "none" and context_dropout is not None:
            raise ValueError("context_dropout: context=none has no layer for it; leave context_dropout out")
        embedded = context_input == "embedded"
        if embedded and context not in ("recurrence", "ngrams"):
            raise ValueError(f"context_input: context={context} has no GRU to read word vectors; leave it out")
        if embedded and compared == "transformed":
            raise ValueError("context_input: embedded does not work with compared=transformed; add compared=projected")
        if scored == "items" and compared == "transformed":
            raise ValueError("scored: items does not work with compared=transformed; add compared=projected")
        self.input_size, self.width = input_size, hidden_size
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
        initialise_parameters(self, initialisation, initial, initialised)

    def items(self, x_NE: Tensor, layout: Layout) -> tuple[Tensor, Layout]:
        """Return the items S_1 and S_2 (M, W) of all sentences, and their layout."""
        words_ND = self.projection(x_NE)
        return self.context(self.transform(words_ND) if self.transforms_words else words_ND, layout)

    def weights(self, items_MW: Tensor, layout: Layout) -> tuple[Tensor, Tensor]:
        """Return softmax_j(e_ij) and softmax_i(e_ij), both (B, I, J), with zeros where the other sentence is empty.

        `layout` is the layout of the items.
        """
        first, second = layout.grid(self.transform(items_MW) if self.transforms_items else items_MW).chunk(2)
        scores_BIJ = self.attention(first, second)
        first_BI, second_BJ = layout.grid_mask_BT.chunk(2)
        return masked_softmax(scores_BIJ, second_BJ[:, None], 2), masked_softmax(scores_BIJ, first_BI[..., None], 1)

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        items_MW, items = self.items(x_ND, layout)
        to_second_BIJ, to_first_BIJ = self.weights(items_MW, items)
        first, second = items.grid(items_MW).chunk(2)
        to_second_BIJ, to_first_BIJ = to_second_BIJ.to(second.dtype), to_first_BIJ.to(first.dtype)
        aligned_MW = items.rows_of_grid(torch.cat([to_second_BIJ @ second, to_first_BIJ.mT @ first]))
        compared_MD = self.compare(join_vectors(items_MW, aligned_MW, self.features))
        return sum_words(compared_MD, items).to(compared_MD.dtype)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        """Return the map `alignment` (2 B, I, J): the weights of each sentence's items over those of the other one."""
        to_second_BIJ, to_first_BIJ = self.weights(*self.items(x_ND, layout))
        return {"alignment": torch.cat([to_second_BIJ, to_first_BIJ.mT])}
