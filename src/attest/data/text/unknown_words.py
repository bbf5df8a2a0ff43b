"""Vectors for words that have none, made of the vectors of the words around them: the rule of the SSA authors' code.

Legend: N sentences, V words, K words that have a vector, M words that have none, E features of a word vector.
"""

from collections.abc import Iterable
from zlib import crc32

import numpy as np
from scipy.sparse import csr_array

from attest.data.split import FIRST_WORD, Ragged

CHUNK = 2**16
"""Sentences at once, so that their sums need little memory."""


def fill_from_neighbours(table_VE: np.ndarray, texts: Iterable[Ragged]) -> np.ndarray:
    """The table with the mean over neighbours in rows of NaN; NaN stays where a word never has a neighbour.

    The neighbours of a word are the known words of its sentence, each as often as it stands there, and all of them
    again for each time that the word itself does. With C the counts of words in sentences, the sums over neighbours
    are C_M' C_K v. Theirs are words from before punctuation is taken off, so that a comma's vector counts too; here
    they are words as the text's recipe leaves them.
    """
    missing_V = np.isnan(table_VE).any(1)
    missing_M, known_K = np.flatnonzero(missing_V), np.flatnonzero(~missing_V)
    known_K = known_K[known_K >= FIRST_WORD]
    sums_ME, counts_M = np.zeros((len(missing_M), table_VE.shape[1])), np.zeros(len(missing_M))
    for text in texts:
        for first in range(0, len(text.lengths), CHUNK):
            offsets = text.offsets[first : first + CHUNK + 1]
            tokens = text.tokens[offsets[0] : offsets[-1]]
            shape = (len(offsets) - 1, len(table_VE))
            counts_NV = csr_array((np.ones(len(tokens)), tokens, offsets - offsets[0]), shape=shape)
            counts_NM, counts_NK = counts_NV[:, missing_M], counts_NV[:, known_K]
            sums_ME += counts_NM.T @ (counts_NK @ table_VE[known_K])
            counts_M += counts_NM.T @ counts_NK.sum(1)
    filled_VE, found_M = table_VE.copy(), counts_M > 0
    filled_VE[missing_M[found_M]] = sums_ME[found_M] / counts_M[found_M, None]
    return filled_VE


SHARED_ROWS = 128
SHARED_ROW_NAMES = tuple(f"<hashed {number}>" for number in range(SHARED_ROWS))
"""Of their rows in the table of word vectors. No token has a space inside."""


def shared_row_name(word: str) -> str:
    """Of the row that this word has."""
    return SHARED_ROW_NAMES[crc32(word.encode("utf-8", "surrogatepass")) % SHARED_ROWS]
