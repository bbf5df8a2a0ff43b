"""Vocabulary: the words of a corpus as rows of its table of word vectors.

Legend: N tokens, V rows of the table, E features of a word vector.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from attest.config.settings import Text, Vectors
from attest.data.numericalise import ReadSplit
from attest.data.split import FIRST_WORD, UNKNOWN, Split
from attest.data.text import unknown_words
from attest.data.text.vectors import FoundVectors

TOKENS_AT_ONCE = 2**20


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The rows of a corpus's table: padding, unknown, training words, frozen words, and rows that words share."""

    rows: list[str]
    """(V,) the word of each row."""
    row_of: np.ndarray
    """The row of each word, by the provisional number that it got when the files were read."""
    trained: int
    """The number of rows of training words, which follow the reserved rows."""
    frozen: int
    """The number of rows of other splits' words, which are not trained."""
    table: np.ndarray
    """(V, E) the vectors (see `vector_table`)."""


def build_vocabulary(
    settings: Vectors, words: Sequence[str], others: Sequence[ReadSplit], training_words: int, pretrained: FoundVectors
) -> Vocabulary:
    """Return the vocabulary of a corpus; the first `training_words` of `words` are those of the training split.

    `others` are the splits besides the training split. Their words get a row only if they have a vector, or if
    `settings.unknown` is neighbours.
    """
    fill_in, shared = (settings.unknown == rule for rule in ("neighbours", "hashed"))
    own = [i for i in range(training_words) if not shared or words[i] in pretrained.vectors]
    needed = needed_words(others, training_words)
    frozen = [i for i in needed if i >= training_words and (fill_in or words[i] in pretrained.vectors)]
    rows = ["", "", *(words[i] for i in (*own, *frozen)), *(unknown_words.SHARED_ROW_NAMES if shared else ())]
    row_of = {word: row for row, word in enumerate(rows) if row >= FIRST_WORD}
    names = (unknown_words.shared_row_name(word) if shared and word not in row_of else word for word in words)
    numbers = np.array([row_of.get(name, UNKNOWN) for name in names], np.int32)
    return Vocabulary(rows, numbers, len(own), len(frozen), vector_table(rows, pretrained, settings.size))


def needed_words(others: Sequence[ReadSplit], training_words: int) -> list[int]:
    """Return the provisional numbers of all training words, then of the further words of the other splits."""
    tokens = [sentences.tokens for reading in others for sentences in reading.split.sentences]
    seen = np.unique(np.concatenate([np.empty(0, np.int32), *tokens]))
    return [*range(training_words), *seen[seen >= training_words].tolist()]


def renumber_words(split: Split, row_of: np.ndarray) -> Split:
    """Return the examples with provisional word numbers replaced by the words' rows in the table."""
    sentences = tuple(replace(ragged, tokens=row_of[ragged.tokens]) for ragged in split.sentences)
    return replace(split, sentences=sentences)


def share_with_vectors(kept: ReadSplit, words: Sequence[str], pretrained: FoundVectors, text: Text) -> float:
    """Return the share of a split's tokens that have a vector; the added text.first and text.last do not count."""
    counts = sum((count_words(sentences.tokens, len(words)) for sentences in kept.split.sentences), 0)
    at_ends = {text.first, text.last} - {""}
    counts = counts * np.array([word not in at_ends for word in words], bool)
    has_vector = np.array([word in pretrained.vectors for word in words], bool)
    return round(float(counts @ has_vector / counts.sum()), 4) if counts.sum() else 0.0


def count_words(tokens: np.ndarray, words: int) -> np.ndarray:
    """Return the number of tokens of each of so many words."""
    counts = np.zeros(words, np.int64)
    for start in range(0, len(tokens), TOKENS_AT_ONCE):  # np.bincount makes a copy of eight bytes a token
        counts += np.bincount(tokens[start : start + TOKENS_AT_ONCE], minlength=words)
    return counts


def vector_table(rows: Sequence[str], pretrained: FoundVectors, size: int) -> np.ndarray:
    """Return (V, E) the vectors of the words in `rows`: zeros for padding and unknown, NaN for words without one."""
    table_VE = np.full((len(rows), size), np.nan, dtype=np.float32)
    table_VE[:FIRST_WORD] = 0.0
    for row, word in enumerate(rows[FIRST_WORD:], FIRST_WORD):
        if word in pretrained.vectors:
            table_VE[row] = pretrained.vectors[word]
    return table_VE
