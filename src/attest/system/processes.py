"""Identification of processes, also across machines that share a folder."""

import hashlib
import os
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path


@cache
def process_namespace() -> str:
    """Return a short hash of the scope of process ids: this host since its boot, and this container."""
    names = [socket.gethostname(), read_or_empty("/proc/sys/kernel/random/boot_id")]
    with suppress(OSError):  # other systems than Linux have no namespaces; the host suffices
        names.append(os.readlink("/proc/self/ns/pid"))
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:8]


def start_time(pid: int) -> str:
    """Return the start time of a process in clock ticks since boot, or an empty string if it is unknown.

    It tells a process from a later one with the same id.
    """
    fields = stat_fields(pid)
    return fields[19] if len(fields) > 19 else ""


def stat_fields(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the state of the process on.

    The list is empty if there is no such process or no /proc.
    """
    return read_or_empty(f"/proc/{pid}/stat").rpartition(")")[2].split()


def is_alive(pid: int, began: str = "") -> bool:
    """Return whether process `pid` of this namespace exists and, if `began` is given, has that start time.

    A process that has ended, but for whose end its parent has not asked yet (a zombie), does not count.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it exists and belongs to another user
    has_ended = stat_fields(pid)[:1] in (["Z"], ["X"])
    return not has_ended and (not began or start_time(pid) in ("", began))


def read_or_empty(path: str) -> str:
    """Return the stripped text of a file, or an empty string if it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""
