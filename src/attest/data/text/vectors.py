"""Pretrained word vectors, in GloVe's text format (a word and its numbers on each line) and in those of word2vec.

Legend: V words, E features of a word vector.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from attest.data.files.source import Source
from attest.data.readers.fields import excerpt
from attest.data.text.word2vec import binary_rows, is_binary, rows_in_header

EMPTY = "the file is empty"
NUMERIC, EXPONENT, SPACE = b"-.0123456789", b"e-0", ord(" ")
NUMBER = r"-?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|nan|inf)"
# No possessive quantifiers such as *+: `re` matches them wrongly before Python 3.11.5.
NUMBERS = re.compile(f"(?:{NUMBER} )*{NUMBER}")
"""The pattern of numbers with a space between. numpy also reads other spaces, and numbers that touch, as in 1-2."""


@dataclass(frozen=True)
class FoundVectors:
    """The vectors of the wanted words that a file holds."""

    vectors: dict[str, np.ndarray]
    """Wanted word -> (E,) float32 vector."""
    rows: int
    """The number of rows in the whole file."""
    duplicates: int
    """The number of rows whose word occurred before; the first row of a word is used."""


def read_vectors(source: Source, wanted: Collection[str], size: int) -> FoundVectors:
    """Return the vectors of the `wanted` words in a file. Rows of other words are checked for their shape only.

    If a word is not in the file, the first row whose word in lower case equals it counts: in a file with capitals,
    "paris" gets the vector of "Paris". Rows are sorted by frequency, so this is the most frequent such word.
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
    """Yield each word of a text file, with its vector (E,) if the word or its lower case is wanted, else None.

    A first line with the numbers of rows and columns, as in word2vec's format, is not a row.
    """
    rows, number = None, 0
    for first, block in source.blocks():
        for number, (start, end, word) in enumerate(quick_words(block, size, source.encoding), first):
            if number == 1:
                line = source.decode_line(block[start:end], number)
                if (rows := text_header(source, line, size)) is not None:
                    continue
            if word is None or word in wanted or word.lower() in wanted:
                yield parse_row(source, number, source.decode_line(block[start:end], number), size)
            else:
                yield word, None
    if rows is not None and rows != number - 1:
        message = f"the first line announces {rows:,} rows, but there are {number - 1:,}"
        advice = f"write {number - 1} in the first line of your own file, or download the official one again"
        raise source.error(number, f"{message}; {advice}")


def quick_words(block: bytes, size: int, encoding: str) -> Iterator[tuple[int, int, str | None]]:
    """Yield where each line of a block begins and ends, and its word if the line has the shape of a row, else None.

    A row has `size` spaces, none of them at its end, and only characters of numbers behind the first. To see this, the
    characters of numbers are deleted from the line, which takes a tenth of the time of reading the numbers. A line of
    another shape has to be read in full, for its error.
    """
    spaces, sound = b" " * size, b"\0" not in block
    start = 0
    for rest in block.translate(None, NUMERIC).removesuffix(b"\n").split(b"\n"):
        end = block.find(b"\n", start) + 1 or len(block) + 1
        if not rest.endswith(spaces):  # a row in forty of GloVe has a number such as 9.2e-05
            rest = block[start:end].replace(EXPONENT, b"").translate(None, NUMERIC + b"\n")
        word = None
        if sound and rest.endswith(spaces) and rest.count(b" ") == size and block[end - 2] != SPACE:
            with suppress(UnicodeDecodeError):
                word = block[start : block.index(b" ", start)].decode(encoding)
        yield start, end, word
        start = end


def text_header(source: Source, line: str, size: int) -> int | None:
    """Return the number of rows that a first line announces; None if the line is a row.

    Files with vectors of one number have no header, since a header would look like a row.
    """
    try:
        return rows_in_header(line, size) if size > 1 else None
    except ValueError as error:
        raise source.error(1, str(error)) from error


def parse_row(source: Source, number: int, line: str, size: int) -> tuple[str, np.ndarray]:
    """Return the word and the vector of a line. The last `size` fields are the vector, since words may hold spaces,
    as ". . ." in GloVe 840B."""
    word, *numbers = line.rstrip(" ").rsplit(" ", size)
    vector = parse_numbers(" ".join(numbers))
    if len(numbers) != size or vector is None or len(vector) != size:
        columns = len(line.split(" "))
        raise source.error(
            number,
            f"expected a word and {size} numbers, got {columns} columns or columns that are not numbers; check "
            "vectors.size",
        )
    last = word.rpartition(" ")[2]
    if " " in word and (not last or NUMBERS.fullmatch(last)):
        message = f"the word {excerpt(word.partition(' ')[0])} has more than {size} numbers; check vectors.size"
        raise source.error(number, message)
    if not np.isfinite(vector).all():
        raise source.error(number, f"the vector of {excerpt(word)} holds a number that is not finite")
    return word, vector


def parse_numbers(text: str) -> np.ndarray | None:
    """Return the numbers in a text, or None if it holds anything else."""
    return np.fromstring(text, dtype=np.float32, sep=" ") if NUMBERS.fullmatch(text) else None
