"""Vectors for words that have none: one of so many random ones, the same for all words of a checksum, in training and
elsewhere (Parikh et al. 2016)."""

from zlib import crc32

ROWS = 128
NAMES = tuple(f"<hashed {number}>" for number in range(ROWS))
"""Of their rows in the table of word vectors. No token has a space inside."""


def name_of(word: str) -> str:
    """Of the row that this word has."""
    return NAMES[crc32(word.encode("utf-8", "surrogatepass")) % ROWS]
