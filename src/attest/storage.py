"""Writing that is never half done: into a temporary name, then renamed."""

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MARK = ".partial-"
"""Part of every temporary name, so that what a killed process left can be told apart."""


def partial(path: Path) -> Path:
    return path.with_name(f".{path.name}{MARK}{os.getpid()}-{secrets.token_hex(3)}")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place once it is written, flushed and closed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = partial(path)
    try:
        yield temporary
        with open(temporary, "rb") as written:
            os.fsync(written.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder that becomes `folder`; if another process was first, its folder stays."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = partial(folder)
    temporary.mkdir()
    try:
        yield temporary
        try:
            os.replace(temporary, folder)
        except OSError:
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(path: Path, data: Any) -> None:
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def remove_partials(folder: Path) -> None:
    """Delete what processes that no longer live left half written below `folder`."""
    for path in folder.rglob(f".*{MARK}*"):
        pid = path.name.rpartition(MARK)[2].partition("-")[0]
        if pid.isdigit() and not alive(int(pid)):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
