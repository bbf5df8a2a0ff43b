"""Vectors for words without a pretrained vector: the mean of their neighbours' vectors, or one of 128 shared rows.

Legend: N sentences, V words, K words that have a vector, M words that have none, E features of a word vector.
"""

from collections.abc import Iterable
from zlib import crc32

import numpy as np

from attest.data.splits.split import FIRST_WORD, Ragged

CHUNK = 2**16
"""The number of sentences that are summed at a time, which bounds the memory."""


def fill_from_neighbours(table_VE: np.ndarray, sentence_groups: Iterable[Ragged]) -> np.ndarray:
    """Return the table with each row of NaN replaced by the mean of its word's neighbours, as in the SSA authors' code.

    The neighbours of a word are the words with a vector in its sentences. If a sentence holds the word twice and a
    neighbour three times, the neighbour counts six times: with the counts C_M (N, M) and C_K (N, K) of words in
    sentences and the vectors v (K, E), the sums over neighbours are C_M^T C_K v. A word without neighbours stays NaN.
    The authors take neighbours from text with punctuation; here they are the tokens that the model sees.
    """
    from scipy.sparse import csr_array  # imported here, since loading it takes longer than encoding a sentence

    missing_V = np.isnan(table_VE).any(1)
    missing_M, known_K = np.flatnonzero(missing_V), np.flatnonzero(~missing_V)
    known_K = known_K[known_K >= FIRST_WORD]
    sums_ME, counts_M = np.zeros((len(missing_M), table_VE.shape[1])), np.zeros(len(missing_M))
    for sentences in sentence_groups:
        for first in range(0, len(sentences.lengths), CHUNK):
            offsets = sentences.offsets[first : first + CHUNK + 1]
            tokens = sentences.tokens[offsets[0] : offsets[-1]]
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
"""The names of the rows that words without a vector share. No token contains a space, so no word has such a name."""


def shared_row_name(word: str) -> str:
    """Return the name of the shared row of a word, by a checksum of the word."""
    return SHARED_ROW_NAMES[crc32(word.encode("utf-8", "surrogatepass")) % SHARED_ROWS]
