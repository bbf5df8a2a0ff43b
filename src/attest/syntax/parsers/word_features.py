"""The features of a word that the learned parser sees: the word, its endings, its beginning and its shape.

There is no vocabulary: the checksum of a feature is its row in a table of vectors. Words that never occur in training
still have known endings, beginnings and shapes. Two features may share a row by chance, which costs little as long as
there are many more rows than frequent features (Weinberger et al. 2009).

Features are in lower case, since most text recipes keep no capitals, and the tree should not depend on them. A change
to the features must raise the version of SpanScorer.

Legend: B sentences, T words of the longest, F features of a word.
"""

from collections.abc import Sequence
from functools import cache
from zlib import crc32

import numpy as np

NOTHING = 0
"""The row of padding and of words that are hidden in training."""
WORD = 0
"""The index of the feature that is the word itself."""
FEATURES = 6
PLAIN = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
"""A token of the Penn Treebank -> the bracket or quotation mark that it stands for."""


@cache
def word_rows(word: str, table_size: int) -> tuple[int, ...]:
    """Return the F rows of a word's features in a table of `table_size` rows."""
    low = PLAIN.get(word, word).replace("\\/", "/").replace("\\*", "*").lower()
    features = (
        f"word {low}",
        f"1 {low[-1:]}",
        f"2 {low[-2:]}",
        f"3 {low[-3:]}",
        f"first {low[:2]}",
        f"shape {word_shape(low)}",
    )
    return tuple(1 + crc32(feature.encode("utf-8", "surrogatepass")) % (table_size - 1) for feature in features)


def word_shape(word: str) -> str:
    """Return the shape of a word: xx-x for co-writer, ddx for 20th.

    Letters become x and digits d. After the first two characters, runs of the same character are written once.
    """
    kinds = ["x" if letter.isalpha() else "d" if letter.isdigit() else letter for letter in word]
    return "".join(kind for i, kind in enumerate(kinds) if i < 2 or kind != kinds[i - 1])


def feature_rows(sentences: Sequence[Sequence[str]], table_size: int) -> np.ndarray:
    """Return (B, T, F) int64 the rows of all words' features in a table of `table_size` rows; padding is NOTHING."""
    longest = max((len(sentence) for sentence in sentences), default=0)
    rows_BTF = np.full((len(sentences), longest, FEATURES), NOTHING, np.int64)
    for i, sentence in enumerate(sentences):
        if sentence:
            rows_BTF[i, : len(sentence)] = [word_rows(word, table_size) for word in sentence]
    return rows_BTF
