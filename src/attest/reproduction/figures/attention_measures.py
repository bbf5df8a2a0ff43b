"""Numbers that figures of attention show besides the maps: the weights of a shared word, and the overlap of hops.

Legend: T words of one sentence, D features, R hops.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from attest.inference.attention_maps import SentenceMaps
from attest.reproduction.figures.content import Attended
from attest.reproduction.specs.figure import Pair, Picture


def hop_overlap(hops_RT: np.ndarray) -> float:
    """Return the attention that two hops have in common: sum_t min(A_it, A_jt), the mean over all pairs i < j."""
    return float(np.mean([np.minimum(*pair).sum() for pair in combinations(hops_RT, 2)] or [1.0]))


def pairs_with_maps(picture: Picture, content: Attended) -> Iterator[tuple[Pair, SentenceMaps, SentenceMaps]]:
    """Yield each pair of sentences of the figure, with the maps of its first and of its second sentence."""
    for number, pair in enumerate(picture.pairs):
        yield pair, content.sentences[2 * number], content.sentences[2 * number + 1]


def shared_word_weights(pair: Pair, sentence: SentenceMaps) -> np.ndarray:
    """Return the source2token weights (D,) that one sentence of a pair gives to the word that both share."""
    return sentence.maps["source2token"][[word.lower() for word in sentence.words].index(pair.word)]
