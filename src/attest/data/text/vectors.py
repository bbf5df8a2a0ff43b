"""Pretrained word vectors: GloVe's text format, a word, then its numbers, one word a line; and those of word2vec.

Legend: V words, E features of a word vector.
"""

import re
import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from attest.data.files import Source
from attest.data.text.word2vec import binary_rows, is_binary, rows_in_header

EMPTY = "the file is empty"
NUMERIC = re.compile(r"[-.0-9 ]*")


@dataclass(frozen=True)
class FoundVectors:
    """The rows of a vector file that somebody asked for."""

    vectors: dict[str, np.ndarray]
    """Word as asked for -> (E,) float32."""
    rows: int
    """Rows in the whole file."""
    duplicates: int
    """Rows whose word had come before; the first row counts."""


def read_vectors(source: Source, wanted: Collection[str], size: int) -> FoundVectors:
    """The vectors of the `wanted` words. Rows that nobody wants are checked too, but for their shape only.

    A wanted word is looked up as it is written; where the file has no such word, the first row whose word is
    equal in lower case stands in ("paris" finds "Paris" in a cased file, whose rows go by frequency).
    """
    exact: dict[str, np.ndarray] = {}
    lowered: dict[str, np.ndarray] = {}
    seen: set[str] = set()
    duplicates = 0
    wanted = set(wanted)
    for word, vector in (binary_rows if is_binary(source) else text_rows)(source, wanted, size):
        if word in seen:
            duplicates += 1
            continue
        seen.add(word)
        if vector is None:
            continue
        if word in wanted:
            exact[word] = vector
        if (lower := word.lower()) in wanted:
            lowered.setdefault(lower, vector)
    if not seen:
        raise (source.error_at(0, EMPTY) if is_binary(source) else source.error(1, EMPTY))
    return FoundVectors({**lowered, **exact}, len(seen) + duplicates, duplicates)


def text_rows(source: Source, wanted: Collection[str], size: int) -> Iterator[tuple[str, np.ndarray | None]]:
    """Every word, with its vector (E,) where the word or its lower case is wanted. A first line with the numbers of
    rows and columns, as word2vec writes it, is no row."""
    rows, number = None, 0
    for number, line in source.lines():
        if number == 1 and (rows := text_header(source, line, size)) is not None:
            continue
        word = line.partition(" ")[0]
        vector = None
        if not has_row_shape(line, len(word), size) or word in wanted or word.lower() in wanted:
            word, vector = parse_row(source, number, line, size)
        yield word, vector
    if rows is not None and rows != number - 1:
        raise source.error(number, f"the first line tells of {rows:,} rows, and there are {number - 1:,}")


def text_header(source: Source, line: str, size: int) -> int | None:
    """The number of rows that a first line tells, if it is a header. With vectors of one number nothing is."""
    try:
        return rows_in_header(line, size) if size > 1 else None
    except ValueError as error:
        raise source.error(1, str(error)) from error


def has_row_shape(line: str, start: int, size: int) -> bool:
    """Whether a line has as many columns as it should, and nothing but the letters of numbers behind its word.

    A tenth of the time that reading the numbers takes; what fails here is read in full, and then refused.
    """
    return line.count(" ") == size and NUMERIC.fullmatch(line, start) is not None


def parse_row(source: Source, number: int, line: str, size: int) -> tuple[str, np.ndarray]:
    """Word and vector of one line. A word may hold spaces (". . ." in GloVe 840B): the last `size` fields count."""
    word, *numbers = line.rstrip(" ").rsplit(" ", size)
    vector = parse_numbers(" ".join(numbers))
    if len(numbers) != size or vector is None or len(vector) != size:
        columns = len(line.split(" "))
        raise source.error(
            number,
            f"expected a word and {size} numbers, got {columns} columns that are not (is vectors.size right?)",
        )
    if " " in word and parse_numbers(word.rpartition(" ")[2]) is not None:
        raise source.error(number, f"more than {size} numbers behind the word {word.partition(' ')[0]!r}")
    if not np.isfinite(vector).all():
        raise source.error(number, f"the vector of {word!r} holds a number that is not finite")
    return word, vector


def parse_numbers(text: str) -> np.ndarray | None:
    """The numbers of a text, or None if some of it is no number."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # what older numpy raises instead of a ValueError
        try:
            return np.fromstring(text, dtype=np.float32, sep=" ")
        except (ValueError, DeprecationWarning):
            return None
