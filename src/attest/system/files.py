"""Atomic writes: a file is written under a temporary name, flushed to disk and renamed."""

import errno
import json
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from attest.system.fences import check_fence, current_fence
from attest.system.processes import is_alive, process_namespace
from attest.system.write_errors import FILE_IS_GONE, translate_write_errors

PARTIAL_MARK = ".partial-"
"""The mark in the name of every temporary file. The id of the writing process follows the mark, so that files of dead
processes can be recognised."""
ABANDONED_SECONDS = 24 * 3600
"""The age at which a temporary file from another machine counts as abandoned."""


def partial_path(path: Path) -> Path:
    """Return a new temporary path beside `path`, whose name holds the id of this process."""
    return path.with_name(f".{path.name}{PARTIAL_MARK}{process_namespace()}-{os.getpid()}-{secrets.token_hex(3)}")


@contextmanager
def atomic_path(path: Path, *, durable: bool = True) -> Iterator[Path]:
    """Yield a temporary path; what the block writes there replaces `path` when the block ends.

    If the block raises, the temporary file is deleted and `path` stays as it was. Raise LeaseLostError, and leave
    `path` as it is, if this process has lost the lease under which it works. If it need not be `durable`, the block
    does not wait for the disk, and a power failure may leave an empty file.
    """
    fence = current_fence.get()
    temporary = partial_path(path if fence is None else fence.folder / path.name)
    with translate_write_errors(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            yield temporary
            if durable:
                sync_to_disk(temporary)
            move(temporary, path)
            if durable:
                sync_to_disk(path.parent)
        except OSError as error:
            if error.errno in FILE_IS_GONE:
                check_fence()  # the temporary file goes with the lease
            raise
        finally:
            with suppress(OSError):
                remove(temporary)


def move(temporary: Path, path: Path) -> None:
    """Replace `path` by a temporary file. Raise LeaseLostError if this process has lost its lease."""
    check_fence()
    try:
        os.replace(temporary, path)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        beside = partial_path(path)  # the folder of the lease is on another disk
        try:
            shutil.copyfile(temporary, beside)
            sync_to_disk(beside)
            check_fence()
            os.replace(beside, path)
        finally:
            with suppress(OSError):
                remove(beside)


def discard(path: Path) -> None:
    """Delete a file if it exists. Raise LeaseLostError, and delete nothing, if this process has lost its lease."""
    if (fence := current_fence.get()) is None:
        path.unlink(missing_ok=True)
        return
    temporary = partial_path(fence.folder / path.name)
    check_fence()
    try:
        os.replace(path, temporary)
    except OSError as error:
        if error.errno not in (*FILE_IS_GONE, errno.EXDEV):
            raise
        check_fence()  # the folder of the lease may be missing, or the file
        if error.errno == errno.EXDEV:  # the folder of the lease is on another disk
            path.unlink(missing_ok=True)
        return
    remove(temporary)


@contextmanager
def atomic_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder that becomes `folder` when the block ends.

    If another process has created `folder` meanwhile, that one stays and the temporary folder is deleted. Raise
    LeaseLostError, and create nothing, if this process has lost the lease under which it works.
    """
    temporary = partial_path(folder)
    with translate_write_errors(folder):
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            temporary.mkdir()
            yield temporary
            for path in temporary.rglob("*"):
                sync_to_disk(path)
            check_fence()
            try:
                os.replace(temporary, folder)
            except OSError:
                if not folder.is_dir():
                    raise
            sync_to_disk(folder.parent)
        finally:
            with suppress(OSError):
                remove(temporary)


def discard_folder(folder: Path) -> None:
    """Delete a folder at once, even if its files are in use, which some shared disks delete later.

    Raise LeaseLostError, and delete nothing, if this process has lost the lease under which it works.
    """
    discarded = partial_path(folder)
    check_fence()
    os.replace(folder, discarded)
    remove(discarded)


def sync_to_disk(path: Path) -> None:
    """Flush a file or folder to the disk, so that a power failure cannot keep its name and lose its content."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Delete a file, a link or a whole folder; a path that does not exist is no error."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Yield an open binary file that replaces `path` when the block ends, for content too large to be held in memory.

    When a write fails, torch.save continues and then raises a RuntimeError about a position in the file. The OSError
    behind it is raised in its place.
    """
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        try:
            yield file
        except RuntimeError as error:
            if isinstance(error.__context__, OSError):
                raise error.__context__ from None
            raise


def write_bytes(path: Path, content: bytes) -> None:
    """Write bytes to `path` atomically."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    """Write text to `path` atomically, in UTF-8."""
    write_bytes(path, text.encode())


def write_json(path: Path, data: Any) -> None:
    """Write data to `path` atomically as JSON; raise ValueError if it holds NaN or infinity."""
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def write_json_undurably(path: Path, data: Any) -> None:
    """Write data to `path` as JSON without flushing it to disk.

    Use it only for files that can be computed again: a power failure may leave an empty file.
    """
    with atomic_path(path, durable=False) as temporary:
        temporary.write_text(json.dumps(data, allow_nan=False), encoding="utf-8")


def remove_partials(folder: Path) -> None:
    """Delete temporary files in `folder`: those of dead processes of this machine, and old ones of other machines.

    Files of other machines are old after ABANDONED_SECONDS. Subfolders are not searched. Files of suspended processes
    stay, since such a process may resume.
    """
    for path in folder.glob(f".*{PARTIAL_MARK}*"):
        namespace, _, rest = path.name.rpartition(PARTIAL_MARK)[2].partition("-")
        pid = rest.partition("-")[0]
        here = namespace == process_namespace() and pid.isdigit()
        if not is_alive(int(pid)) if here else is_abandoned(path):
            remove(path)


def is_abandoned(path: Path) -> bool:
    """Return whether a temporary file is so old that it counts as abandoned, whichever machine wrote it."""
    try:
        return time_of_folder(path) - path.stat().st_mtime > ABANDONED_SECONDS
    except FileNotFoundError:
        return False


def time_of_folder(path: Path) -> float:
    """Return the time by the clock of the machine that keeps the folder of `path`, in seconds.

    It is that of a file written there, or the time of this machine if none can be written, as in a read-only folder.
    """
    probe = partial_path(path)
    try:
        probe.touch()
        os.utime(probe)
        return probe.stat().st_mtime
    except OSError:
        return time.time()
    finally:
        with suppress(OSError):
            remove(probe)


def file_version(path: Path) -> tuple[int, int, int]:
    """Return what changes when a file is written: its inode, the time of its last change, and its size."""
    state = path.stat()
    return state.st_ino, state.st_mtime_ns, state.st_size
