"""Numbers that figures of attention compute from the maps: root mean squares, a shared word's weights, hop overlap.

Legend: T words of one sentence, D features, R hops or lines.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from attest.inference.attention_maps import SentenceMaps
from attest.reproduction.figures.content import AttentionContent
from attest.reproduction.specs.figure import FigureSpec, Pair
from attest.system.correlation import pearson


def hop_overlap(hops_RT: np.ndarray) -> float:
    """Return the attention that two hops have in common: sum_t min(A_it, A_jt), the mean over all pairs i < j."""
    return float(np.mean([np.minimum(*pair).sum() for pair in combinations(hops_RT, 2)] or [1.0]))


def pairs_with_maps(spec: FigureSpec, content: AttentionContent) -> Iterator[tuple[Pair, SentenceMaps, SentenceMaps]]:
    """Yield each pair of sentences of the figure, with the maps of its first and of its second sentence."""
    for number, pair in enumerate(spec.pairs):
        yield pair, content.sentences[2 * number], content.sentences[2 * number + 1]


def shared_word_weights(pair: Pair, sentence: SentenceMaps) -> np.ndarray:
    """Return the source2token weights (D,) that one sentence of a pair gives to the word that both share."""
    return sentence.maps["source2token"][[word.lower() for word in sentence.words].index(pair.word)]


def shared_word_correlation(pair: Pair, first: SentenceMaps, second: SentenceMaps) -> float:
    """Return Pearson's r of the weights that the two sentences of a pair give to the word that both share."""
    return pearson(shared_word_weights(pair, first), shared_word_weights(pair, second))


def word_group_means(sentence: SentenceMaps, weights_RT: np.ndarray, stop_words: Collection[str]) -> np.ndarray:
    """Return the mean weight of the stop words of a sentence and that of its other words (R, 2), NaN without such a
    word."""
    is_stop_T = np.array([word.lower() in stop_words for word in sentence.words])
    groups = [weights_RT[:, of_group_T] for of_group_T in (is_stop_T, ~is_stop_T)]
    means = [group.mean(1) if group.shape[1] else np.full(len(group), np.nan) for group in groups]
    return np.stack(means, axis=1)


def with_root_mean_squares(sentences: Sequence[SentenceMaps]) -> list[SentenceMaps]:
    """Return copies whose `pair_weights` are root mean squares over features instead of means.

    A root mean square is the 2-norm divided by sqrt(D); it is 1 where a word gives another all its attention.
    """
    root = root_of_features(sentences)
    rms = [{name: norm_TT / root for name, norm_TT in s.with_norms.pair_weights.items()} for s in sentences]
    return [replace(sentence, maps={**sentence.maps, **maps}) for sentence, maps in zip(sentences, rms, strict=True)]


def root_of_features(sentences: Sequence[SentenceMaps]) -> float:
    """Return sqrt(D) of the maps from words to words, which are stored without their features.

    The 2-norm of D weights is sqrt(D) times their mean if they are equal, else more. They are equal where a word can
    attend to one word alone, so sqrt(D) is the smallest 2-norm per mean. Without such a word it is an upper bound.
    """
    ratios = [
        (norm_TT[mean_TT > 0] / mean_TT[mean_TT > 0]).min()
        for sentence in sentences
        for mean_TT, norm_TT in zip(
            sentence.pair_weights.values(), sentence.with_norms.pair_weights.values(), strict=True
        )
        if (mean_TT > 0).any()
    ]
    return float(min(ratios, default=1.0))
