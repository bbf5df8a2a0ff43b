"""Which process is this, and is that one still alive? Also across machines that share a folder."""

import hashlib
import os
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path


@cache
def place() -> str:
    """A name for where process numbers mean something: this host since its boot, this container."""
    parts = [socket.gethostname(), read("/proc/sys/kernel/random/boot_id")]
    with suppress(OSError):  # elsewhere than on Linux the host has to do
        parts.append(os.readlink("/proc/self/ns/pid"))
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:8]


def started(pid: int) -> str:
    """When a process began, in the kernel's clock: tells it from a later one with the same number."""
    fields = read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 else ""


def alive(pid: int, began: str = "") -> bool:
    """Whether the process `pid` of this place runs; with `began`, whether it is still the same one."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # somebody else's, but alive
    return not began or started(pid) in ("", began)


def read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""
