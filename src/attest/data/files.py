"""Official text files: loose, as .xz, or inside the official zip; read as lines with their numbers.

Nothing is ever unpacked to disk, so a hostile archive has no path to write to; sizes are bounded while reading.
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

LONGEST_LINE = 2**24
LARGEST_RATIO = 100
"""Unpacked to packed size. Text reaches 10; what unpacks to more than this is not text."""
SMALL = 2**20
"""Files that stay below this when unpacked are never refused for their ratio."""


@dataclass
class Source:
    """One official file, wherever it was found."""

    path: Path
    member: str | None = None
    """Name inside the zip."""
    encoding: str = "utf-8"
    companions: str = ""
    """Pattern of the files beside this one that belong to it, such as the texts beside a list of their authors."""
    _hash: "hashlib._Hash" = field(default_factory=hashlib.sha256, init=False)

    def __str__(self) -> str:
        return f"{self.path}[{self.member}]" if self.member else str(self.path)

    @property
    def sha256(self) -> str:
        """Of the unpacked content, once `lines` has come to its end: the same however the file was packed."""
        return self._hash.hexdigest()

    @property
    def stamp(self) -> tuple[str, int, int, str]:
        """Changes when the file does, without reading it."""
        status = self.path.stat()
        beside = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in self.companion_files()]
        others = hashlib.sha256(repr(beside).encode()).hexdigest() if beside else ""
        return (str(self.path.resolve()), status.st_size, status.st_mtime_ns, (self.member or "") + others)

    def companion_files(self) -> list[Path]:
        """The companions, packed or not."""
        folder, pattern = self.path.parent, self.companions
        return sorted([*folder.glob(pattern), *folder.glob(f"{pattern}.xz")]) if pattern else []

    def include_hash(self, other: "Source") -> None:
        """Let the content of a companion that was read count into the checksum of this file."""
        self._hash.update(other.sha256.encode())

    def error(self, line: int, message: str) -> DataError:
        return DataError(f"{self}:{line}: {message}")

    def error_at(self, offset: int, message: str) -> DataError:
        """Of a file that has no lines."""
        return DataError(f"{self}: byte {offset:,}: {message}")

    def parse_number(self, line: int, text: str, lowest: float, highest: float, name: str = "") -> float:
        """The number that a text is; `name` says whose it is."""
        try:
            found = float(text)
        except ValueError as error:
            raise self.error(line, f"{name} {text[:40]!r} is not a number".lstrip()) from error
        if not lowest <= found <= highest:  # nan is not either
            raise self.error(line, f"{name} {text.strip()} is not from {lowest:.0f} to {highest:.0f}".lstrip())
        return found

    def lines(self) -> Iterator[tuple[int, str]]:
        """(line number from 1, text without its line end). Only \\n ends a line: NEL and the like are text."""
        for number, raw in enumerate(self._pieces(LONGEST_LINE + 1, lines=True), 1):
            if len(raw) > LONGEST_LINE:
                raise self.error(number, f"a line of over {LONGEST_LINE:,} bytes is not text of this kind")
            yield number, self._decode(raw, number)

    def chunks(self) -> Iterator[bytes]:
        """The content of a file that is not text, piece by piece."""
        return self._pieces(SMALL, lines=False)

    def _pieces(self, size: int, *, lines: bool) -> Iterator[bytes]:
        """Lines or pieces of up to so many bytes."""
        self._hash = hashlib.sha256()
        unpacked, number = 0, 0

        def refused(number: int, message: str) -> DataError:
            return self.error(number, message) if lines else self.error_at(unpacked, message)

        try:
            packed = self.path.stat().st_size
            with ExitStack() as stack:
                stream = self._open(stack)
                while raw := stream.readline(size) if lines else stream.read(size):
                    number += 1
                    unpacked += len(raw)
                    if unpacked > max(SMALL, LARGEST_RATIO * packed):
                        raise refused(number, f"unpacks to over {LARGEST_RATIO} times its size: refused")
                    self._hash.update(raw)
                    yield raw
        except (lzma.LZMAError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise refused(number + 1, f"the file is damaged or cut off ({error})") from error
        except (OSError, NotImplementedError, RuntimeError) as error:  # unreadable, or an odd or encrypted zip
            raise DataError(f"{self}: cannot be read: {error}") from error

    def _decode(self, raw: bytes, number: int) -> str:
        if b"\0" in raw:  # no text holds it, and in some encodings it is all that tells of damage
            raise self.error(number, "a zero byte is not text")
        try:
            return raw.decode(self.encoding).rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise self.error(number, f"byte {error.start} is not {self.encoding}") from error

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
    """The file `relative` below the data folder: itself, itself with .xz, or in its official archive."""
    loose = data / relative
    for path in (loose, loose.with_name(loose.name + ".xz")):
        if path.is_file():
            return Source(path, encoding=encoding, companions=companions)
    if archive is not None and (packed := data / archive.path).is_file():
        member = "/".join(part for part in (archive.folder, loose.name) if part)
        try:
            with zipfile.ZipFile(packed) as opened:
                names = opened.namelist()
        except (zipfile.BadZipFile, OSError) as error:
            raise DataError(f"{packed}: is not a readable zip archive ({error})") from error
        if outside := [name for name in names if name.startswith("/") or ".." in name.split("/")]:
            raise DataError(f"{packed}: not the official file: its member {outside[0]!r} points outside of it")
        if member not in names:
            raise DataError(f"{packed}: has no member {member}; the official archive does. Fetch it again.")
        return Source(packed, member, encoding)
    raise DataError(missing_message(data, loose, archive))


def missing_message(data: Path, loose: Path, archive: Archive | None) -> str:
    names = f"{loose.name}, {loose.name}.xz"
    if archive is None:
        return f"{loose.parent}{os.sep}: none of {names} is there; `attest data list` tells where to get it."
    return (
        f"{loose.parent}{os.sep}: none of {names}, {Path(archive.path).name} is there. Fetch it with `attest data "
        f"fetch`, or put {archive.url} at {data / archive.path} by hand, or name another data "
        "folder with paths.data=... or ATTEST_DATA."
    )
