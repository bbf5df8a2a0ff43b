"""Word vectors in word2vec's binary format: a line with the numbers of rows and columns, then word after word with its
numbers as 32-bit floats, the low byte first.

Legend: E features of a word vector.
"""

import re
from collections.abc import Collection, Iterator

import numpy as np

from attest.data.files import Source

HEADER = re.compile(r"(\d+) (\d+)")
SUFFIX = ".bin"
"""Files that are named so are binary; in text, a header tells word2vec's format from GloVe's."""
LONGEST_WORD = 10_000


def is_binary(source: Source) -> bool:
    return (source.member or source.path.name.removesuffix(".xz")).endswith(SUFFIX)


def rows_in_header(line: str, size: int) -> int | None:
    """The number of rows that a header tells; None for a line that is no header. ValueError for other columns."""
    header = HEADER.fullmatch(line.rstrip())
    if header is None:
        return None
    if int(header[2]) != size:
        raise ValueError(f"vectors of {header[2]} numbers, where vectors.size is {size}")
    return int(header[1])


class ByteReader:
    """The bytes of a file, taken in order."""

    def __init__(self, source: Source) -> None:
        self.source, self.chunks = source, source.chunks()
        self.buffer, self.start, self.offset = b"", 0, 0

    def read_more(self) -> bool:
        """One more piece behind what is left."""
        piece = next(self.chunks, b"")
        self.buffer, self.start = self.buffer[self.start :] + piece, 0
        return bool(piece)

    def take(self, size: int) -> bytes:
        """The next bytes: fewer only at the end of the file."""
        while len(self.buffer) - self.start < size and self.read_more():
            pass
        taken = self.buffer[self.start : self.start + size]
        self.start += len(taken)
        self.offset += len(taken)
        return taken

    def take_until(self, mark: bytes) -> bytes | None:
        """The bytes before the next `mark`, which is passed over; None if none comes in reach."""
        while (end := self.buffer.find(mark, self.start)) < 0:
            if len(self.buffer) - self.start > LONGEST_WORD or not self.read_more():
                return None
        found = self.take(end - self.start)
        self.take(len(mark))
        return found


def binary_rows(source: Source, wanted: Collection[str], size: int) -> Iterator[tuple[str, np.ndarray | None]]:
    """Every word, with its vector (E,) where the word or its lower case is wanted."""
    reader = ByteReader(source)
    try:
        rows = rows_in_header((reader.take_until(b"\n") or b"").decode("ascii", "replace"), size)
    except ValueError as error:
        raise source.error_at(0, str(error)) from error
    if rows is None:
        raise source.error_at(0, "the file does not begin with the numbers of rows and columns, as word2vec's do")
    for row in range(rows):
        at = reader.offset
        word, numbers = reader.take_until(b" "), reader.take(4 * size)
        if word is None or len(numbers) < 4 * size:
            raise source.error_at(at, f"cut off: row {row + 1:,} of {rows:,} is not whole (is vectors.size right?)")
        try:
            name = word.lstrip(b"\n").decode(source.encoding)  # some files end each row with a line end
        except UnicodeDecodeError as error:
            raise source.error_at(at, f"the word of row {row + 1:,} is not {source.encoding}") from error
        vector = np.frombuffer(numbers, "<f4").astype(np.float32) if name in wanted or name.lower() in wanted else None
        if vector is not None and not np.isfinite(vector).all():
            raise source.error_at(at, f"the vector of {name!r} holds a number that is not finite")
        yield name, vector
    if reader.take(2).strip(b"\n"):
        raise source.error_at(reader.offset, f"more than the {rows:,} rows that the first line tells")
