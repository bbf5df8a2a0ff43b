"""Official files: plain, compressed as .xz, or inside the official zip; read as numbered lines.

Nothing is unpacked to disk, so a hostile archive cannot write any file. The size of the unpacked content is limited.
"""

import hashlib
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from attest.config.settings import Archive
from attest.errors import DataError

MAX_LINE_BYTES = 2**24
"""The largest number of bytes in a line."""
MAX_UNPACKED_RATIO = 100
"""The largest ratio of unpacked to packed size. Text reaches about 10, so a file above this limit is no text."""
PIECE_BYTES = 2**20
"""The size of the pieces in which binary content is read. Content up to this size may have any ratio."""


@dataclass
class Source:
    """An official file on disk or inside a zip."""

    path: Path
    member: str | None = None
    """The name inside the zip; None for a file of its own."""
    encoding: str = "utf-8"
    companions: str = ""
    """A glob pattern of files in the same folder that belong to this file, such as the texts of the listed authors."""
    _hash: "hashlib._Hash" = field(default_factory=hashlib.sha256, init=False)

    def __str__(self) -> str:
        return f"{self.path}[{self.member}]" if self.member else str(self.path)

    @property
    def sha256(self) -> str:
        """The hash of the unpacked content. It is valid once `lines` or `chunks` has been read to the end."""
        return self._hash.hexdigest()

    @property
    def stamp(self) -> tuple[str, int, int, str]:
        """The path, size and modification time of the file and its companions: a cache key that needs no reading."""
        status = self.path.stat()
        companions = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in self.companion_files()]
        digest = hashlib.sha256(repr(companions).encode()).hexdigest() if companions else ""
        return (str(self.path.resolve()), status.st_size, status.st_mtime_ns, (self.member or "") + digest)

    def companion_files(self) -> list[Path]:
        """Return the paths of the companions, plain or as .xz."""
        folder, pattern = self.path.parent, self.companions
        return sorted([*folder.glob(pattern), *folder.glob(f"{pattern}.xz")]) if pattern else []

    def include_hash(self, other: "Source") -> None:
        """Add the content of a companion, which must have been read to the end, to the hash of this file."""
        self._hash.update(other.sha256.encode())

    def error(self, line: int, message: str) -> DataError:
        """Return an error at a line of the file."""
        return DataError(f"{self}:{line}: {message}")

    def error_at(self, offset: int, message: str) -> DataError:
        """Return an error at a byte of a file that has no lines."""
        return DataError(f"{self}: byte {offset:,}: {message}")

    def parse_number(self, line: int, text: str, lowest: float, highest: float, name: str = "") -> float:
        """Return the number that `text` holds; an error calls it `name`."""
        try:
            number = float(text)
        except ValueError as error:
            raise self.error(line, f"{name} {text[:40]!r} is not a number".lstrip()) from error
        if not lowest <= number <= highest:  # also refuses nan
            raise self.error(line, f"{name} {text.strip()} is not from {lowest:.0f} to {highest:.0f}".lstrip())
        return number

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the number of each line, from 1, and its text without the line end.

        Only \\n ends a line; other Unicode line ends, such as NEL, are text.
        """
        for number, raw in enumerate(self._pieces(MAX_LINE_BYTES + 1, lines=True), 1):
            if len(raw) > MAX_LINE_BYTES:
                raise self.error(number, f"the line has over {MAX_LINE_BYTES:,} bytes; use the official file")
            yield number, self._decode(raw, number)

    def chunks(self) -> Iterator[bytes]:
        """Yield the content of a binary file in pieces."""
        return self._pieces(PIECE_BYTES, lines=False)

    def _pieces(self, size: int, *, lines: bool) -> Iterator[bytes]:
        """Yield lines or pieces of at most `size` unpacked bytes, and hash them."""
        self._hash = hashlib.sha256()
        unpacked, number = 0, 0

        def error_here(number: int, message: str) -> DataError:
            return self.error(number, message) if lines else self.error_at(unpacked, message)

        try:
            packed = self.path.stat().st_size
            with ExitStack() as stack:
                stream = self._open(stack)
                while raw := stream.readline(size) if lines else stream.read(size):
                    number += 1
                    unpacked += len(raw)
                    if unpacked > max(PIECE_BYTES, MAX_UNPACKED_RATIO * packed):
                        message = f"the file unpacks to over {MAX_UNPACKED_RATIO} times its size; use the official file"
                        raise error_here(number, message)
                    self._hash.update(raw)
                    yield raw
        except (lzma.LZMAError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            message = f"the file is damaged or incomplete ({error}); download it again"
            raise error_here(number + 1, message) from error
        except (OSError, NotImplementedError, RuntimeError) as error:  # unreadable, or an encrypted or unusual zip
            raise DataError(f"{self}: cannot read the file: {error}") from error

    def _decode(self, raw: bytes, number: int) -> str:
        if b"\0" in raw:  # in encodings such as latin-1, a zero byte is the only sign of damage
            raise self.error(number, "the line holds a zero byte, so the file is damaged; download it again")
        try:
            return raw.decode(self.encoding).rstrip("\r\n")
        except UnicodeDecodeError as error:
            message = f"byte {error.start} of the line is not {self.encoding}; use the official file"
            raise self.error(number, message) from error

    def _open(self, stack: ExitStack) -> BinaryIO:
        if self.member is not None:
            archive = stack.enter_context(zipfile.ZipFile(self.path))
            return cast(BinaryIO, stack.enter_context(archive.open(self.member)))
        if self.path.suffix == ".xz":
            return cast(BinaryIO, stack.enter_context(lzma.open(self.path)))
        return cast(BinaryIO, stack.enter_context(open(self.path, "rb")))


def find_source(
    data: Path, relative: str, archive: Archive | None = None, *, encoding: str = "utf-8", companions: str = ""
) -> Source:
    """Return the file `relative` of the folder `data`: plain, with .xz appended, or inside its official archive.

    A DataError says where the file was looked for and how to get it.
    """
    plain = data / relative
    for path in (plain, plain.with_name(plain.name + ".xz")):
        if path.is_file():
            return Source(path, encoding=encoding, companions=companions)
    if archive is not None and (packed := data / archive.path).is_file():
        member = f"{archive.folder}/{plain.name}" if archive.folder else plain.name
        try:
            with zipfile.ZipFile(packed) as opened:
                names = opened.namelist()
        except (zipfile.BadZipFile, OSError) as error:
            raise DataError(f"{packed}: not a readable zip archive ({error}); delete it and fetch it again") from error
        if outside := [name for name in names if name.startswith("/") or ".." in name.split("/")]:
            raise DataError(
                f"{packed}: not the official archive, since its member {outside[0]!r} points outside of it; delete it"
            )
        if member not in names:
            raise DataError(
                f"{packed}: not the official archive, since {member} is missing in it; delete it and fetch it again"
            )
        return Source(packed, member, encoding)
    raise DataError(missing_message(data, plain, archive))


def missing_message(data: Path, path: Path, archive: Archive | None) -> str:
    """Return the error text for the missing file `path`, with the ways to get it."""
    if archive is None:
        return (
            f"{path.parent}{os.sep}: neither {path.name} nor {path.name}.xz is there; `attest data list` says where "
            "to get it"
        )
    return (
        f"{path.parent}{os.sep}: none of {path.name}, {path.name}.xz and {Path(archive.path).name} is there; run "
        f"`attest data fetch`, or put {archive.url} at {data / archive.path} by hand, or choose another data folder "
        "with paths.data=FOLDER or ATTEST_DATA"
    )
