"""Vocabulary: the words of a corpus as rows of its table of word vectors.

Legend: N tokens, V rows of the table, E features of a word vector.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from attest.config.settings import Vectors
from attest.data.splits.provisional import ProvisionalSplit
from attest.data.splits.split import FIRST_WORD, UNKNOWN, Split
from attest.data.text import unknown_words
from attest.data.text.vectors import FoundVectors


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The rows of a corpus's table: padding, unknown, training words, frozen words, and rows that words share."""

    rows: list[str]
    """(V,) the word of each row."""
    row_of_number: np.ndarray
    """The row of each word, by the provisional number that it got when the files were read."""
    training_rows: int
    """The number of rows of training words, which follow the reserved rows."""
    frozen_rows: int
    """The number of rows of other splits' words, which are not trained."""
    table: np.ndarray
    """(V, E) the vectors (see `vector_table`)."""


def build_vocabulary(
    settings: Vectors, words: Sequence[str], training_words: int, needed: Sequence[int], pretrained: FoundVectors
) -> Vocabulary:
    """Return the vocabulary of a corpus; the first `training_words` of `words` are those of the training split.

    `needed` holds the numbers of all training words and of the later splits' words (see `needed_words`). A later
    split's word gets a row only if it has a pretrained vector, or if `settings.unknown` is neighbours. If it is hashed,
    a training word too gets a row only if it has a vector.
    """
    fill_in, shared = (settings.unknown == rule for rule in ("neighbours", "hashed"))
    training_numbers = [i for i in range(training_words) if not shared or words[i] in pretrained.vectors]
    frozen_numbers = [i for i in needed if i >= training_words and (fill_in or words[i] in pretrained.vectors)]
    unshared_rows = [words[i] for i in (*training_numbers, *frozen_numbers)]
    rows = ["", "", *unshared_rows, *(unknown_words.SHARED_ROW_NAMES if shared else ())]
    row_of = {word: row for row, word in enumerate(rows) if row >= FIRST_WORD}
    names = (unknown_words.shared_row_name(word) if shared and word not in row_of else word for word in words)
    row_of_number = np.array([row_of.get(name, UNKNOWN) for name in names], np.int32)
    table = vector_table(rows, pretrained, settings.size)
    return Vocabulary(rows, row_of_number, len(training_numbers), len(frozen_numbers), table)


def needed_words(later_splits: Sequence[ProvisionalSplit], training_words: int) -> list[int]:
    """Return the provisional numbers of all training words, then of the further words of the later splits."""
    tokens = [sentences.tokens for examples in later_splits for sentences in examples.split.sentences]
    seen = np.unique(np.concatenate([np.empty(0, np.int32), *tokens]))
    return [*range(training_words), *seen[seen >= training_words].tolist()]


def renumber_words(split: Split, row_of_number: np.ndarray) -> Split:
    """Return the examples with provisional word numbers replaced by the words' rows in the table."""
    sentences = tuple(replace(ragged, tokens=row_of_number[ragged.tokens]) for ragged in split.sentences)
    return replace(split, sentences=sentences)


def vector_table(rows: Sequence[str], pretrained: FoundVectors, size: int) -> np.ndarray:
    """Return (V, E) the vectors of the words in `rows`: zeros for padding and unknown, NaN for words without one."""
    table_VE = np.full((len(rows), size), np.nan, dtype=np.float32)
    table_VE[:FIRST_WORD] = 0.0
    for row, word in enumerate(rows[FIRST_WORD:], FIRST_WORD):
        if word in pretrained.vectors:
            table_VE[row] = pretrained.vectors[word]
    return table_VE
