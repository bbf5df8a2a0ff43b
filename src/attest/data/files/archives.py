"""The bytes of official files: plain, compressed as .xz, or inside the official zip.

Nothing is unpacked to disk, so a hostile archive cannot write any file.
"""

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import stat_result
from os.path import lexists
from pathlib import Path
from typing import BinaryIO, cast

from attest.errors import DataError

DAMAGED = (lzma.LZMAError, zipfile.BadZipFile, zlib.error, struct.error, EOFError, OverflowError, MemoryError)
"""The exceptions that reading raises for packed content that is damaged or incomplete."""
UNREADABLE = (*DAMAGED, OSError, ValueError, RuntimeError, LookupError)
"""The exceptions above, and those of a file that cannot be read: there are zips that are encrypted, of a later version,
or with names that are not text."""
MAX_REASON = 200


def reason(error: BaseException) -> str:
    """Return what an error of a library says, at most MAX_REASON characters of it."""
    return str(error)[:MAX_REASON] or type(error).__name__


def file_status(path: Path) -> stat_result:
    """Return the status of a file; a DataError says why there is none, as for a link that leads to no file."""
    try:
        return path.stat()
    except OSError as error:
        raise DataError(f"{path}: cannot read the file: {reason(error)}") from error


def is_file(path: Path) -> bool:
    """Return whether a file is at `path`. Anything else there, such as a link that leads to no file, is a DataError."""
    try:
        if path.is_file():
            return True
    except OSError as error:  # a name that is too long, or a folder that may not be searched
        raise DataError(f"{path}: cannot read the file: {reason(error)}") from error
    if lexists(path):
        raise DataError(f"{path}: a folder or a link that leads to no file is there; put a file in its place")
    return False


@contextmanager
def open_binary(path: Path, member: str | None) -> Iterator[BinaryIO]:
    """Open a file, or a member of a zip, for reading its unpacked bytes."""
    if member is not None:
        with zipfile.ZipFile(path) as archive, archive.open(member) as stream:
            yield cast(BinaryIO, stream)
    elif path.suffix == ".xz":
        with lzma.open(path) as stream:
            yield cast(BinaryIO, stream)
    else:
        with open(path, "rb") as stream:
            yield stream


def check_member(path: Path, member: str) -> None:
    """Raise a DataError unless the zip can be read, holds `member` once, and no name that points outside of it."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except UNREADABLE as error:
        message = f"not a readable zip archive ({reason(error)}); delete it and fetch it again"
        raise DataError(f"{path}: {message}") from error
    if problem := problem_of_names(names, member):
        raise DataError(f"{path}: not the official archive, since {problem}; delete it and fetch it again")


def problem_of_names(names: Sequence[str], member: str) -> str | None:
    """Return what is wrong with the names in a zip that should hold `member`; None if nothing is."""
    if outside := [name for name in names if name.startswith("/") or ".." in name.split("/")]:
        return f"its member {outside[0][:MAX_REASON]!r} points outside of it"
    if member not in names:
        return f"{member} is missing in it"
    return f"it holds {member} twice" if names.count(member) > 1 else None
