"""Word vectors in word2vec's binary format: a line with the numbers of rows and columns, then each word and its numbers
as little-endian 32-bit floats.

Legend: E features of a word vector.
"""

from collections.abc import Collection, Iterator

import numpy as np

from attest.data.files.source import Source
from attest.data.readers.fields import excerpt, parse_count

SUFFIX = ".bin"
"""The ending of binary files. Text files of word2vec differ from GloVe's by their header."""
LONGEST_WORD = 10_000


def is_binary(source: Source) -> bool:
    """Return whether a file of word vectors is in word2vec's binary format, by its name."""
    return (source.member or source.path.name.removesuffix(".xz")).endswith(SUFFIX)


def rows_in_header(line: str, size: int) -> int | None:
    """Return the number of rows in a header; None if the line is not a header.

    A header whose number of columns is not `size` raises a ValueError.
    """
    rows, columns = (parse_count(text) for text in line.rstrip(" ").partition(" ")[::2])
    if rows is None or columns is None:
        return None
    if columns != size:
        raise ValueError(f"the vectors have {columns} numbers, but vectors.size is {size}")
    return rows


class ByteReader:
    """A reader of a file's bytes in order."""

    def __init__(self, source: Source) -> None:
        self.source, self.chunks = source, source.chunks()
        self.buffer, self.start, self.offset = b"", 0, 0

    def read_more(self) -> bool:
        """Append the next piece of the file to the buffer; return False at the end of the file."""
        piece = next(self.chunks, b"")
        self.buffer, self.start = self.buffer[self.start :] + piece, 0
        return bool(piece)

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer at the end of the file."""
        while len(self.buffer) - self.start < size and self.read_more():
            pass
        taken = self.buffer[self.start : self.start + size]
        self.start += len(taken)
        self.offset += len(taken)
        return taken

    def take_until(self, mark: bytes) -> bytes | None:
        """Return the bytes up to the next `mark`, which is skipped; None if it is over LONGEST_WORD bytes away."""
        while (end := self.buffer.find(mark, self.start)) < 0:
            if len(self.buffer) - self.start > LONGEST_WORD or not self.read_more():
                return None
        content = self.take(end - self.start)
        self.take(len(mark))
        return content


def binary_rows(source: Source, wanted: Collection[str], size: int) -> Iterator[tuple[str, np.ndarray | None]]:
    """Yield each word of a binary file, with its vector (E,) if the word or its lower case is wanted, else None."""
    reader = ByteReader(source)
    try:
        rows = rows_in_header((reader.take_until(b"\n") or b"").decode("ascii", "replace"), size)
    except ValueError as error:
        raise source.error_at(0, str(error)) from error
    if rows is None:
        raise source.error_at(0, "the file does not begin with the numbers of rows and columns of word2vec's format")
    for row in range(rows):
        offset = reader.offset
        word, numbers = reader.take_until(b" "), reader.take(4 * size)
        if word is None or len(numbers) < 4 * size:
            message = f"row {row + 1:,} of {rows:,} is incomplete; check vectors.size, or download the file again"
            raise source.error_at(offset, message)
        try:
            name = word.lstrip(b"\n").decode(source.encoding)  # some files end each row with a line end
        except UnicodeDecodeError as error:
            raise source.error_at(offset, f"the word of row {row + 1:,} is not {source.encoding}") from error
        vector = np.frombuffer(numbers, "<f4").astype(np.float32) if name in wanted or name.lower() in wanted else None
        if vector is not None and not np.isfinite(vector).all():
            raise source.error_at(offset, f"the vector of {excerpt(name)} holds a number that is not finite")
        yield name, vector
    while rest := reader.take(2**16):
        if rest.strip(b"\n"):
            raise source.error_at(
                reader.offset, f"the file has more than the {rows:,} rows that its first line announces"
            )
