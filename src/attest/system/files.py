"""Writing that is never half done: into a temporary name, then renamed."""

import errno
import json
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from attest.errors import StorageError
from attest.system.processes import alive, place

MARK = ".partial-"
"""Part of every temporary name, with the process behind it, so that what a killed process left can be told apart."""
ABANDONED_SECONDS = 24 * 3600
"""After so long, a temporary name from another machine counts as left behind."""

REASONS = {
    errno.ENOSPC: "no space is left there; free some",
    errno.EDQUOT: "your quota there is used up; free some space",
    errno.EROFS: "that folder is read-only; make it writable or choose another with paths.home=...",
    errno.EACCES: "you may not write there; change its permissions or choose another with paths.home=...",
    errno.EPERM: "you may not write there; change its permissions or choose another with paths.home=...",
}


def partial(path: Path) -> Path:
    return path.with_name(f".{path.name}{MARK}{place()}-{os.getpid()}-{secrets.token_hex(3)}")


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """A full or read-only disk is said in one sentence; what was there before is untouched."""
    try:
        yield
    except OSError as error:
        if error.errno not in REASONS:
            raise
        raise refusal(path, error.errno) from error


def refusal(path: Path, number: int) -> StorageError:
    reason = REASONS[number]
    return StorageError(f"cannot write {path}: {reason}, and the same command goes on. Earlier records are intact.")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place once it is written, flushed and closed."""
    temporary = partial(path)
    with explained(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            yield temporary
            flush(temporary)
            os.replace(temporary, path)
            flush(path.parent)
        finally:
            remove(temporary)


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder that becomes `folder`; if another process was first, its folder stays."""
    temporary = partial(folder)
    with explained(folder):
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            temporary.mkdir()
            yield temporary
            for path in temporary.rglob("*"):
                flush(path)
            try:
                os.replace(temporary, folder)
            except OSError:
                if not folder.is_dir():
                    raise
            flush(folder.parent)
        finally:
            remove(temporary)


def flush(path: Path) -> None:
    """Down to the disk, so that a machine that loses power does not keep the name and lose the content."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A file for what is too large to be held twice; it takes the place of `path` once all of it is written.

    torch, where the disk refuses a part, goes on to the end and complains of a place in the file: what the disk said
    is raised instead.
    """
    with replacing(path) as temporary, temporary.open("wb") as file:
        try:
            yield file
        except RuntimeError as error:
            if isinstance(error.__context__, OSError):
                raise error.__context__ from None
            raise


def write_bytes(path: Path, content: bytes) -> None:
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode())


def write_json(path: Path, data: Any) -> None:
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def remove_partials(folder: Path) -> None:
    """Delete what processes that no longer live left half written in `folder` itself."""
    for path in folder.glob(f".*{MARK}*"):
        where, _, rest = path.name.rpartition(MARK)[2].partition("-")
        pid = rest.partition("-")[0]
        if (where == place() and pid.isdigit() and not alive(int(pid))) or old(path):
            remove(path)


def old(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > ABANDONED_SECONDS
    except FileNotFoundError:
        return False
