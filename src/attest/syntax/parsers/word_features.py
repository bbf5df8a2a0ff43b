"""What a parser sees of a word, without a vocabulary: the word, its endings, its beginning and its shape, each as a row
of one table, found by a checksum. Whoever changes that raises the version of SpanScorer. All of them are in small
letters: most text recipes leave no others, and a sentence has one tree whatever it is written in.

Words that training never showed have endings, beginnings and shapes all the same. Two features may share a row by
chance, which costs little as long as there are many more rows than features that are frequent (Weinberger et al. 2009).

Legend: B sentences, T words of the longest, F features of a word.
"""

from collections.abc import Sequence
from functools import cache
from zlib import crc32

import numpy as np

NOTHING = 0
"""The row of what is not there: padding, and words that training hides."""
WORD = 0
"""Which of the features is the word itself."""
FEATURES = 6
PLAIN = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
"""What treebanks write for brackets and quotation marks."""


@cache
def word_rows(word: str, number: int) -> tuple[int, ...]:
    """The rows (F) of a word in a table with so many of them."""
    low = PLAIN.get(word, word).replace("\\/", "/").replace("\\*", "*").lower()
    seen = (
        f"word {low}",
        f"1 {low[-1:]}",
        f"2 {low[-2:]}",
        f"3 {low[-3:]}",
        f"first {low[:2]}",
        f"shape {word_shape(low)}",
    )
    return tuple(1 + crc32(feature.encode("utf-8", "surrogatepass")) % (number - 1) for feature in seen)


def word_shape(word: str) -> str:
    """xx-x for co-writer, ddx for 20th: the kinds of the first two characters, then where it changes."""
    kinds = ["x" if letter.isalpha() else "d" if letter.isdigit() else letter for letter in word]
    return "".join(kind for place, kind in enumerate(kinds) if place < 2 or kind != kinds[place - 1])


def feature_rows(sentences: Sequence[Sequence[str]], number: int) -> np.ndarray:
    """(B, T, F) int64, NOTHING behind the words."""
    time = max((len(sentence) for sentence in sentences), default=0)
    found_BTF = np.full((len(sentences), time, FEATURES), NOTHING, np.int64)
    for place, sentence in enumerate(sentences):
        if sentence:
            found_BTF[place, : len(sentence)] = [word_rows(word, number) for word in sentence]
    return found_BTF
