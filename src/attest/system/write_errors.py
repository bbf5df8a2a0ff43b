"""Failed writes, and files that may not be read: their causes, and what to do about each."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attest.errors import StorageError

ANOTHER_NAME = "name another folder in the command (for Attest's own files, with paths.home=...)"
"""The advice on a folder in which nothing can be written: one that the command names, or one of Attest's own."""
WRITE_ERROR_ADVICE = {
    errno.ENOSPC: "no space is left there; free some",
    errno.EFBIG: "the file would be larger than this process may write; raise the limit, as with ulimit -f unlimited",
    errno.EDQUOT: "your quota there is used up; free some space",
    errno.EROFS: f"that folder is read-only; make it writable or {ANOTHER_NAME}",
    errno.EACCES: f"you may not write there; change its permissions or {ANOTHER_NAME}",
    errno.EIO: "the disk reports an input/output error; check it",
    errno.ESTALE: "the shared disk no longer knows the file (stale file handle); see that the disk is there",
    errno.ETIMEDOUT: "the shared disk does not answer; see that it is there",
    errno.EPERM: f"you may not write there; change its permissions or {ANOTHER_NAME}",
    errno.ENOTDIR: f"a part of this path is a file, and no folder; {ANOTHER_NAME}",
    errno.EISDIR: "this is a folder; name a file",
    errno.ENAMETOOLONG: "the name is too long, since temporary files get a longer one; choose a shorter name",
}
"""The cause and the remedy of a failed write, by its error number."""


ANOTHER_FOLDER = "none can be made there; choose another with ATTEST_HOME=... or paths.home=..."
"""The advice on a folder that cannot be made, if the error number has none of its own."""
FILE_IS_GONE = (errno.ENOENT, errno.ESTALE)
"""The error numbers of a file that another machine has removed; a shared disk gives either."""


@contextmanager
def translate_write_errors(path: Path) -> Iterator[None]:
    """Convert an OSError whose number is in WRITE_ERROR_ADVICE, such as a full disk, into a StorageError.

    The error of a folder above `path` that cannot be made, as below /proc, is converted too.
    """
    try:
        yield
    except OSError as error:
        if error.errno in WRITE_ERROR_ADVICE:
            raise storage_error(path, error.errno) from error
        if error.errno == errno.ENOENT and error.filename is not None and Path(error.filename) in path.parents:
            raise folder_error(path.parent) from error
        raise


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; raise StorageError if that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise folder_error(folder, WRITE_ERROR_ADVICE.get(error.errno or 0, ANOTHER_FOLDER)) from error


def folder_error(folder: Path, advice: str = ANOTHER_FOLDER) -> StorageError:
    """Return the error of a folder that cannot be made."""
    return StorageError(f"cannot make the folder {folder}: {advice}, then run the same command again.")


def storage_error(path: Path, number: int) -> StorageError:
    """Return the error of a failed write to `path`, with the advice for the error number."""
    advice = WRITE_ERROR_ADVICE[number]
    return StorageError(
        f"cannot write {path}: {advice}, then run the same command again to continue. Earlier records are intact."
    )


def access_error(path: Path, number: int) -> StorageError:
    """Return the error of a file that failed where it is not known whether it was read or written."""
    if number not in (errno.EACCES, errno.EPERM):
        return storage_error(path, number)
    exists, readable, writable = (os.access(path, mode) for mode in (os.F_OK, os.R_OK, os.W_OK))
    if exists and readable and not writable:
        return storage_error(path, number)
    failed = "read" if exists and writable and not readable else "read or write"
    return StorageError(
        f"cannot {failed} {path}: you have no permission; change that of the file or of its folder, then run the same "
        "command again."
    )
