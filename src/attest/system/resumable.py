"""Files that are written in parts over a long time: killed work resumes after the last complete part."""

import fcntl
import glob
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from attest.errors import BusyError, DataError
from attest.system.failures import machine_error
from attest.system.files import partial_path, sync_to_disk, write_json
from attest.system.write_errors import translate_write_errors

UNFINISHED_MARK = ".unfinished-"
"""The mark in the name of an unfinished file; a hash of its identity follows the mark."""
DIGITS = 12
"""The number of hexadecimal digits of that hash."""


class ResumableFile:
    """An unfinished file beside its target, with a note of how much of it is complete."""

    def __init__(self, file: BinaryIO, note: Path) -> None:
        self.file, self.note = file, note
        self.done, complete = read_note(note)
        """The number of items in the complete parts."""
        if os.fstat(file.fileno()).st_size < complete:
            self.done, complete = 0, 0
        file.truncate(complete)
        file.seek(complete)

    def append(self, content: bytes, done: int) -> None:
        """Write the next part, after which `done` items are complete."""
        self.file.write(content)
        self.file.flush()
        os.fsync(self.file.fileno())  # the note may not reach the disk before the part
        write_json(self.note, {"done": done, "bytes": self.file.tell()})
        self.done = done


def read_note(note: Path) -> tuple[int, int]:
    """Return the numbers of items and of bytes that a note says are complete; 0 and 0 if there is no readable note."""
    try:
        content = json.loads(note.read_text(encoding="utf-8"))
        return int(content["done"]), int(content["bytes"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return 0, 0


def is_open_at(file: BinaryIO, path: Path) -> bool:
    """Return whether an open file is the one that stands at `path`."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def resumable_file(path: Path, identity: str) -> Iterator[ResumableFile]:
    """Yield a file that replaces `path` when the block ends, and that a later call continues if the block is cut off.

    `identity` says what is written; an unfinished file of another identity is not continued, and is deleted when `path`
    is finished. Raise BusyError if another process writes the same. If the block raises a DataError, nothing stays,
    unless the machine failed.
    """
    digest = sha256(identity.encode()).hexdigest()[:DIGITS]
    partial = path.with_name(f".{path.name}{UNFINISHED_MARK}{digest}")
    note = note_of(partial)
    with translate_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial_path(note).unlink(missing_ok=True)  # raises OSError if this name, the longest one, is too long
        with partial.open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise BusyError(f"{path}: another process writes it; wait for it, or name another file") from error
            if not is_open_at(file, partial):  # another process has finished the file since it was opened here
                raise BusyError(f"{path}: another process has just written it; repeat the command to write it again")
            try:
                yield ResumableFile(file, note)
            except DataError as error:
                if machine_error(error) is None:  # else the input can be read later
                    partial.unlink(missing_ok=True)
                    note.unlink(missing_ok=True)
                raise
            os.replace(partial, path)
        note.unlink(missing_ok=True)
        remove_unfinished(path)
        sync_to_disk(path.parent)


def note_of(partial: Path) -> Path:
    """Return the path of the note of an unfinished file."""
    return partial.with_name(f"{partial.name}.json")


def remove_unfinished(path: Path) -> None:
    """Delete the unfinished files beside `path` that no process writes, and their notes."""
    for partial in path.parent.glob(f".{glob.escape(path.name)}{UNFINISHED_MARK}{'[0-9a-f]' * DIGITS}"):
        with suppress(OSError), partial.open("rb+") as file:  # BlockingIOError if another process writes it
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            partial.unlink()
            note_of(partial).unlink(missing_ok=True)
