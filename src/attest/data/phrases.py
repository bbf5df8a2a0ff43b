"""The phrases of a corpus's sentences, by the trees of the data or those of a parser.

Legend: N sentences, T words of one sentence.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from attest.config.settings import Phrases, Settings
from attest.data.readers.fields import excerpt
from attest.data.splits.split import Ragged
from attest.errors import SettingsError
from attest.syntax.parsers import Parser
from attest.syntax.phrases import divide_into_phrases, phrase_bits
from attest.syntax.trees import Tree, from_labelled, from_spans, from_unlabelled

SENTENCES_AT_ONCE = 4096
"""The number of sentences that are given to a parser at a time."""
LEAF_CHANGING_SETTINGS = ("split_characters", "deleted", "first", "last", "token_limit")
"""The text settings that, if set, make tokens that are not leaves of the data's trees."""
REWRITTEN_MARKS = re.compile(r"-[LR][RSC]B-|[\W_]")
"""Punctuation, spaces and treebank brackets: tokenisers rewrite them, so comparisons of words ignore them."""
MIN_COMMON_SHARE = 0.9
"""The smallest share of letters and digits that a sentence and its tree must have in common in the same order.

It is below 1 because tokenisers rewrite spellings such as "colour"."""
MAX_DIFFERING_LETTERS = 2
"""The number of letters that may differ even if the share is smaller, as between "A theatre." and "A theater ."."""
MAX_SHOWN = 500
"""The largest number of characters of a sentence that an error shows."""


def uses_corpus_trees(settings: Settings) -> bool:
    """Return whether the settings take phrases from the trees of the data."""
    return settings.phrases.source == "corpus"


def check_phrase_settings(settings: Settings) -> None:
    """Raise SettingsError if phrases come from the data's trees, but tokens are not exactly the trees' leaves."""
    if not uses_corpus_trees(settings):
        return
    if settings.text.tokens != "parse":
        raise SettingsError(
            "phrases.source: the trees of the data set need their leaves as tokens; set text.tokens=parse"
        )
    for key in LEAF_CHANGING_SETTINGS:
        if value := getattr(settings.text, key):
            raise SettingsError(
                f"text.{key}: {value!r} makes tokens that are not leaves of the data's trees; leave it at its default, "
                "or set phrases=learned"
            )
    if settings.text.stop_words == "removed":
        raise SettingsError(
            "text.stop_words: the data's trees include the stop words; set text.stop_words=kept or phrases=learned"
        )


def check_tree_words(sentence: str, leaves: Sequence[str]) -> None:
    """Raise a ValueError if the leaves of a tree are not the words of its sentence.

    Differences that a tokeniser makes, in punctuation and spelling, are allowed.
    """
    written, parsed = (REWRITTEN_MARKS.sub("", text).lower() for text in (sentence, "".join(leaves)))
    if not may_be_same_text(written, parsed):
        tree, text = " ".join(leaves)[:MAX_SHOWN], sentence[:MAX_SHOWN]
        raise ValueError(f"the words of the tree, {tree!r}, are not those of the sentence, {text!r}")


def may_be_same_text(first: str, second: str) -> bool:
    """Return whether two texts differ so little that a tokeniser may have made one from the other."""
    if first == second:
        return True
    shorter, longer = sorted((first, second), key=len)
    share = MIN_COMMON_SHARE * (len(shorter) + len(longer)) / 2
    needed = min(share, len(longer) - MAX_DIFFERING_LETTERS)
    return len(shorter) >= needed and common_length(shorter, longer) >= needed


def common_length(first: str, second: str) -> int:
    """Return the largest number of characters that two texts have in common in the same order.

    Bit i of an integer stands for character i of `first`, so a character of `second` costs only a few operations on
    integers (Hyyrö 2004). Texts of 10,000 words take about a tenth of a second.
    """
    places: dict[str, int] = {}
    for place, character in enumerate(first):
        places[character] = places.get(character, 0) | 1 << place
    every_place = unmatched = (1 << len(first)) - 1
    for character in second:
        candidates = unmatched & places.get(character, 0)
        unmatched = ((unmatched + candidates) | (unmatched - candidates)) & every_place
    return len(first) - unmatched.bit_count()


def corpus_tree_bits(parse: str | None, labelled: str | None, words: int, settings: Phrases) -> np.ndarray:
    """Return the phrase bits (T,) of a sentence of `words` words, by its tree in the data.

    `parse` is the binary tree and `labelled` the tree with labels, which is used if branching=nary. Raise ValueError
    if the tree is missing, malformed or of another number of words.
    """
    if labelled is not None and settings.branching == "nary":
        tree = from_labelled(labelled)
        for leaf, other in zip(tree.words, from_unlabelled(parse).words if parse else (), strict=False):
            if leaf != other:
                words_differ = f"{excerpt(leaf)} in one is {excerpt(other)} in the other"
                raise ValueError(f"the two trees have different words: {words_differ}")
    elif parse is not None:
        tree = from_unlabelled(parse)
    elif words > 1:
        raise ValueError("the sentence has no parse; set phrases=learned to parse it")
    else:
        tree = Tree(("",) * words, ())  # a sentence of one word or none has only one tree
    if len(tree.words) != words:
        raise ValueError(f"the tree has {len(tree.words)} words, but the sentence has {words}")
    return phrase_bits(divide_into_phrases(tree, settings), words)


def parser_tree_bits(sentences: Sequence[Sequence[str]], parser: Parser, settings: Phrases) -> list[np.ndarray]:
    """Return the phrase bits (T,) of each sentence by the tree of a parser."""
    trees = [from_spans(*pair) for pair in zip(sentences, parser.parse(sentences), strict=True)]
    return [phrase_bits(divide_into_phrases(tree, settings), len(tree.words)) for tree in trees]


def add_parser_phrases(ragged: Ragged, words: Sequence[str], parser: Parser, settings: Phrases) -> Ragged:
    """Return the sentences with phrases by a parser's trees; `words` holds the word of each token number."""
    sentence_bits: list[np.ndarray] = []
    for start in range(0, len(ragged.lengths), SENTENCES_AT_ONCE):
        borders = ragged.offsets[start : start + SENTENCES_AT_ONCE + 1].tolist()
        sentences = [[words[int(token)] for token in ragged.tokens[begin:end]] for begin, end in pairwise(borders)]
        sentence_bits += parser_tree_bits(sentences, parser, settings)
    return Ragged(ragged.tokens, ragged.offsets, join_bits(sentence_bits))


def join_bits(sentence_bits: Sequence[np.ndarray]) -> np.ndarray:
    """Return the phrase bits of all sentences in one flat uint8 array."""
    return np.concatenate([np.empty(0, np.uint8), *sentence_bits])


def phrase_counts(sentences: Sequence[Ragged], levels: int) -> dict[str, object]:
    """Return the numbers of non-empty sentences, of their words, and of their phrases on each level."""
    return {
        "sentences": sum(int((ragged.lengths > 0).sum()) for ragged in sentences),
        "words": sum(len(ragged.tokens) for ragged in sentences),
        "phrases": [
            sum(int((ragged.phrases >> level & 1).sum()) for ragged in sentences if ragged.phrases is not None)
            for level in range(levels)
        ],
    }
