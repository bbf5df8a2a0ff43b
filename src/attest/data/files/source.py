"""Official files: plain, compressed as .xz, or inside the official zip; read as numbered lines.

The size of the unpacked content is limited.
"""

import codecs
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from attest.data.files.archives import DAMAGED, UNREADABLE, file_status, open_binary, reason
from attest.errors import DataError, escape_unprintable

MAX_LINE_BYTES = 2**24
"""The largest number of bytes in a line."""
MAX_UNPACKED_RATIO = 100
"""The largest ratio of unpacked to packed size. Text reaches about 10, so a file above this limit is not text."""
PIECE_BYTES = 2**20
"""The size of the pieces in which binary content is read. Content up to this size may have any ratio."""
BLOCK_BYTES = 2**17
"""The size of the pieces in which long texts are read: one that fits the CPU's cache."""
MARK = "\ufeff"
"""The byte-order mark with which editors and some copies begin a file in UTF-8. It is not text."""

USE_OFFICIAL_FILE = "use the official file"
"""The advice for a file of a data set that is not the user's own."""


@dataclass
class Source:
    """A file that is read as lines, blocks or chunks: on disk (plain or .xz) or inside a zip.

    Its content is hashed while it is read.
    """

    path: Path
    member: str | None = None
    """The name inside the zip; None for a file of its own."""
    encoding: str = "utf-8"
    companions: str = ""
    """A glob pattern of files in the same folder that belong to this file, such as the texts of the listed authors."""
    own: bool = False
    """True for a file of the user's own, of which there is no official copy."""
    _hash: "hashlib._Hash" = field(default_factory=hashlib.sha256, init=False)
    _hash_is_complete: bool = field(default=False, init=False)

    def __str__(self) -> str:
        return escape_unprintable(f"{self.path}[{self.member}]" if self.member else str(self.path))

    @property
    def sha256(self) -> str:
        """The hash of the unpacked content and its companions.

        Raise RuntimeError unless the file has been read to its end, by `lines`, `blocks` or `chunks`.
        """
        if not self._hash_is_complete:
            raise RuntimeError(f"{self}: the hash is not known yet; read the file to its end first")
        return self._hash.hexdigest()

    @property
    def stamp(self) -> tuple[str, int, int, str]:
        """The path, size and modification time of the file and its companions: a cache key that needs no reading."""
        status = file_status(self.path)
        others = [(path.name, file_status(path)) for path in self.companion_files()]
        companions = [(name, other.st_size, other.st_mtime_ns) for name, other in others]
        digest = hashlib.sha256(repr(companions).encode()).hexdigest() if companions else ""
        return (str(self.path.resolve()), status.st_size, status.st_mtime_ns, (self.member or "") + digest)

    def companion_files(self) -> list[Path]:
        """Return the paths of the companions, plain or as .xz."""
        folder, pattern = self.path.parent, self.companions
        return sorted([*folder.glob(pattern), *folder.glob(f"{pattern}.xz")]) if pattern else []

    @contextmanager
    def hash_from_start(self) -> Iterator[None]:
        """Restart the hash for a block that reads the whole file. It is complete if the block raises no error."""
        self._hash, self._hash_is_complete = hashlib.sha256(), False
        yield
        self._hash_is_complete = True

    def include_hash(self, other: "Source") -> None:
        """Make the hash of this file cover a companion, which must have been read to the end."""
        self._hash.update(other.sha256.encode())

    def error(self, line: int, message: str) -> DataError:
        """Return an error at a line of the file."""
        return DataError(f"{self}:{line}: {message}")

    def error_at(self, offset: int, message: str) -> DataError:
        """Return an error at a byte of a file that has no lines."""
        return DataError(f"{self}: byte {offset:,}: {message}")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the number of each line, from 1, and its text without the line end and without a byte-order mark.

        Only \\n ends a line; other Unicode line ends, such as NEL, are text.
        """
        number = 0

        def next_line() -> int:
            return number + 1

        for raw in self._pieces(MAX_LINE_BYTES + 1, next_line, whole_lines=True):
            number += 1
            self._check_length(raw, number)
            if number == 1 and not (raw := self._without_mark(raw)):  # the file is empty but for its mark
                continue
            yield number, self.decode_line(raw, number)

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield whole lines as bytes, many at a time: the number of the first of them, and their bytes.

        It is for files of which only few lines are needed as text. Each block ends with \\n, except perhaps the last.
        """
        number, rest = 1, b""

        def next_line() -> int:
            return number

        for place, raw in enumerate(self._pieces(BLOCK_BYTES, next_line)):
            piece = rest + raw if place else self._without_mark(raw)
            end = piece.rfind(b"\n") + 1
            block, rest = piece[:end], piece[end:]
            if block:
                yield number, block
                number += count_line_ends(block)
            self._check_length(rest, number)
        if rest:
            yield number, rest

    def chunks(self) -> Iterator[bytes]:
        """Yield the content of a binary file in pieces."""
        return self._pieces(PIECE_BYTES)

    def _pieces(
        self, size: int, line: Callable[[], int] | None = None, *, whole_lines: bool = False
    ) -> Iterator[bytes]:
        """Yield lines, or pieces of any content, of at most `size` unpacked bytes, and hash them.

        `line` returns the number of the line for an error; without it, the error names the byte.
        """
        unpacked = 0

        def error_here(message: str) -> DataError:
            return self.error_at(unpacked, message) if line is None else self.error(line(), message)

        try:
            packed = self.path.stat().st_size
            with self.hash_from_start(), open_binary(self.path, self.member) as stream:
                while raw := stream.readline(size) if whole_lines else stream.read(size):
                    unpacked += len(raw)
                    if unpacked > max(PIECE_BYTES, MAX_UNPACKED_RATIO * packed):
                        message = f"the file unpacks to over {MAX_UNPACKED_RATIO} times its size"
                        raise error_here(f"{message}; {self._advice('unpack {}')}")
                    self._hash.update(raw)
                    yield raw
        except DAMAGED as error:
            message = f"the file is damaged or incomplete ({reason(error)})"
            advice = self._advice("pack {} again", "download the official one again")
            raise error_here(f"{message}; {advice}") from error
        except UNREADABLE as error:
            raise DataError(f"{self}: cannot read the file: {reason(error)}") from error

    def _check_length(self, raw: bytes, number: int) -> None:
        """Raise an error if a line is too long."""
        if len(raw) > MAX_LINE_BYTES:
            message = f"the line has over {MAX_LINE_BYTES:,} bytes"
            raise self.error(number, f"{message}; {self._advice('shorten it in {}')}")

    def _without_mark(self, raw: bytes) -> bytes:
        """Return the beginning of the file without a UTF-8 byte-order mark.

        Raise DataError if there is one and the encoding is not UTF-8.
        """
        if not raw.startswith(codecs.BOM_UTF8):
            return raw
        if self.encoding != "utf-8":
            message = f"the file begins with a byte-order mark of UTF-8, but is {self.encoding}"
            raise self.error(1, f"{message}; {self._advice('save {} without the mark')}")
        return raw.removeprefix(codecs.BOM_UTF8)

    def decode_line(self, raw: bytes, number: int) -> str:
        """Return the text of a line without its line end; raise an error if it is not text."""
        if looks_like_utf_16(raw, number):
            raise self.error(number, f"the file looks like UTF-16; save it as {self.encoding.upper()}")
        if b"\0" in raw:  # in encodings such as latin-1, a zero byte is the only sign of damage
            message = "the line holds a zero byte, so the file is damaged, or no text"
            raise self.error(number, f"{message}; {self._advice('delete the byte in {}')}")
        try:
            return raw.decode(self.encoding).removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as error:
            message = f"byte {error.start + 1} of the line is not {self.encoding}"
            raise self.error(number, f"{message}; {self._advice('save {} in that encoding')}") from error

    def _advice(self, text: str, official: str = USE_OFFICIAL_FILE) -> str:
        """Return what to do about a mistake: `text` with the file in place of {}, or what to do with the official one.

        A file of the user's own has no official copy.
        """
        return text.format("the file") if self.own else f"{text.format('your own file')}, or {official}"


def looks_like_utf_16(raw: bytes, number: int) -> bool:
    """Return whether a line, split at the byte \\n, is UTF-16: it begins the file with the byte-order mark, or every
    second byte is zero."""
    if number == 1 and raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    return b"\0" in raw and len(raw) > 3 and not (any(raw[::2]) and any(raw[1::2]))  # a single zero byte is damage


def count_line_ends(block: bytes) -> int:
    """Return the number of line ends in bytes; bytes.count takes three times as long."""
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))
