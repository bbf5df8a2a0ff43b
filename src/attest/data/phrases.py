"""Which phrases the sentences of a corpus have: by the data's own trees, or by a parser's.

Legend: N sentences, T words of one sentence.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np

from attest.config.settings import Phrases, Settings
from attest.data.split import Ragged
from attest.errors import SettingsError
from attest.syntax.parsers import Parser
from attest.syntax.phrases import divide_into_phrases, phrase_bits
from attest.syntax.trees import Tree, from_binary, from_labelled, from_spans

SENTENCES_AT_ONCE = 4096
"""Sentences that a parser is given at once."""
SETTINGS_WITHOUT_LEAVES = ("split_characters", "deleted", "first", "last", "token_limit")
"""Settings of the text that make tokens which are no leaves of the data's trees."""
REWRITTEN_MARKS = re.compile(r"-[LR][RSC]B-|[\W_]")
"""What a tokeniser rewrites: quotation marks, dots, brackets."""
LEAST_SHARE_IN_COMMON = 0.9
"""The least share of letters and digits that a sentence and its tree have in common: tokenisers rewrite spellings too,
"colour" as "color"."""
LETTERS_THAT_MAY_DIFFER = 2
"""Letters that may differ however short the sentence is: "A theatre." as "A theater ."."""


def uses_corpus_trees(settings: Settings) -> bool:
    """Whether phrases come from the data's own trees."""
    return settings.phrases.source == "corpus"


def check_corpus_trees(settings: Settings) -> None:
    """The data's own trees are over the tokens only where tokens are their leaves, one by one."""
    if not uses_corpus_trees(settings):
        return
    if settings.text.tokens != "parse":
        raise SettingsError(
            "phrases.source: the trees of the data set need text.tokens=parse, so that tokens are leaves"
        )
    for key in SETTINGS_WITHOUT_LEAVES:
        if value := getattr(settings.text, key):
            raise SettingsError(f"text.{key}: {value!r} makes tokens that are no leaves of the data's own trees")
    if settings.text.stop_words == "removed":
        raise SettingsError("text.stop_words: without them, tokens are not the leaves of the data's own trees")


def check_tree_words(sentence: str, leaves: Sequence[str]) -> None:
    """A tree has the words of its sentence, as far as that can be told behind a tokeniser."""
    said, parsed = (REWRITTEN_MARKS.sub("", text).lower() for text in (sentence, "".join(leaves)))
    if said == parsed:
        return
    matcher = SequenceMatcher(None, said, parsed, autojunk=False)
    common = sum(block.size for block in matcher.get_matching_blocks())
    if max(len(said), len(parsed)) - common > LETTERS_THAT_MAY_DIFFER and matcher.ratio() < LEAST_SHARE_IN_COMMON:
        raise ValueError(f"its tree is of other words, {' '.join(leaves)!r}, than the sentence, {sentence!r}")


def corpus_tree_bits(parse: str | None, labelled: str | None, words: int, settings: Phrases) -> np.ndarray:
    """(T,) bits of a sentence whose tree the data give, `labelled` in the form of the Penn Treebank."""
    if labelled is not None and settings.branching == "nary":
        tree = from_labelled(labelled)
        for leaf, other in zip(tree.words, from_binary(parse).words if parse else (), strict=False):
            if leaf != other:
                raise ValueError(f"its two trees are of different words: {leaf!r} in one is {other!r} in the other")
    elif parse is not None:
        tree = from_binary(parse)
    elif words > 1:
        raise ValueError("this sentence has no parse; phrases=learned and others make trees of their own")
    else:
        tree = Tree(("",) * words, ())  # the only one there is
    if len(tree.words) != words:
        raise ValueError(f"the tree has {len(tree.words)} words and the sentence {words}")
    return phrase_bits(divide_into_phrases(tree, settings), words)


def parser_tree_bits(sentences: Sequence[Sequence[str]], parser: Parser, settings: Phrases) -> list[np.ndarray]:
    """Of each sentence the bits (T,) of the tree that a parser gives it."""
    trees = [from_spans(*pair) for pair in zip(sentences, parser.parse(sentences), strict=True)]
    return [phrase_bits(divide_into_phrases(tree, settings), len(tree.words)) for tree in trees]


def add_parser_phrases(ragged: Ragged, words: Sequence[str], parser: Parser, settings: Phrases) -> Ragged:
    """The same sentences with phrases; `words` are those that its tokens number."""
    parts: list[np.ndarray] = []
    for start in range(0, len(ragged.lengths), SENTENCES_AT_ONCE):
        borders = ragged.offsets[start : start + SENTENCES_AT_ONCE + 1].tolist()
        sentences = [[words[int(token)] for token in ragged.tokens[begin:end]] for begin, end in pairwise(borders)]
        parts += parser_tree_bits(sentences, parser, settings)
    return Ragged(ragged.tokens, ragged.offsets, join_bits(parts))


def join_bits(parts: Sequence[np.ndarray]) -> np.ndarray:
    """The bits of several sentences in one array."""
    return np.concatenate([np.empty(0, np.uint8), *parts])


def phrase_counts(sentences: Sequence[Ragged], levels: int) -> dict[str, object]:
    """How many phrases there are on each level, of all sentences that have words."""
    return {
        "sentences": sum(int((ragged.lengths > 0).sum()) for ragged in sentences),
        "words": sum(len(ragged.tokens) for ragged in sentences),
        "phrases": [
            sum(int((ragged.phrases >> level & 1).sum()) for ragged in sentences if ragged.phrases is not None)
            for level in range(levels)
        ],
    }
