"""The phrases of a sentence, level by level: PSAN, section 2.1.

Level 1 divides the sentence into the parts of the root of its tree. Each further level divides the phrases of the level
above; a phrase that is too short is kept whole. A phrase is a span (start, end) over the words. The levels of a
sentence are stored as bits beside its words: bit t - 1 of a word is set where a phrase of level t begins.

Legend: T words of a sentence.
"""

from collections.abc import Sequence

import numpy as np

from attest.config.settings import Phrases
from attest.syntax.trees import Span, Tree, binarise, children


def divide_into_phrases(tree: Tree, settings: Phrases) -> list[list[Span]]:
    """Return the phrases of each level as spans, the coarsest level first."""
    parts = children(binarise(tree) if settings.branching == "binary" else tree)
    phrases = [(0, len(tree.words))] if tree.words else []
    levels: list[list[Span]] = []
    for _ in range(settings.levels):
        phrases = [
            phrase
            for start, end in phrases
            for phrase in (parts[start, end] if end - start >= settings.min_length else [(start, end)])
        ]
        levels.append(phrases)
    if settings.blocks == "equal":
        return [equal_blocks(len(tree.words), len(level)) for level in levels]
    return levels


def equal_blocks(words: int, number: int) -> list[Span]:
    """Return `number` spans that cover `words` words and whose lengths differ by at most one word."""
    return [(words * block // number, words * (block + 1) // number) for block in range(number)]


def phrase_bits(levels: Sequence[Sequence[Span]], words: int) -> np.ndarray:
    """Return (T,) uint8: bit t - 1 of a word is set where a phrase of level t begins."""
    bits_T = np.zeros(words, np.uint8)
    for level, phrases in enumerate(levels):
        bits_T[[start for start, _ in phrases]] |= 1 << level
    return bits_T
