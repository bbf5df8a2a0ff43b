"""Leases: locks in a shared folder that let one process at a time carry out a run, also across machines.

A lease is a small file that names its holder, which touches the file every few seconds (the heartbeat). A lease is
stale when its process is known to be dead or, if that cannot be known, when the heartbeat has stopped.
"""

import json
import os
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from attest.errors import BusyError
from attest.system.files import partial_path, remove, translate_write_errors
from attest.system.processes import is_alive, process_namespace, start_time

HEARTBEAT_SECONDS = 5.0
TIMEOUT_SECONDS = 60.0
"""The age of the last heartbeat at which a lease of an unknown process counts as stale."""


@dataclass(frozen=True)
class Holder:
    """The process that holds a lease. The fields are the keys of the lease file."""

    host: str
    place: str
    """The `process_namespace` of the process: only processes of the same namespace can look up `pid`."""
    pid: int
    began: str
    """The `start_time` of the process; empty where it is unknown."""
    token: str
    """A random string that tells two leases of one process apart."""

    @classmethod
    def here(cls) -> "Holder":
        """Return a new holder for this process."""
        pid = os.getpid()
        return cls(socket.gethostname(), process_namespace(), pid, start_time(pid), secrets.token_hex(8))

    def is_alive(self) -> bool | None:
        """Return whether the process still exists, or None if that cannot be known from here.

        The heartbeat does not count: a process that was suspended, or whose machine slept, will continue.
        """
        if self == UNREADABLE:
            return False
        if self.place != process_namespace():
            return None
        return (True if self.began else None) if is_alive(self.pid, self.began) else False


UNREADABLE = Holder(host="", place="", pid=0, began="", token="")
"""The holder of a lease file that cannot be read; it counts as dead."""


@contextmanager
def lease(path: Path) -> Iterator[None]:
    """Hold the lease at `path` during the block. Raise BusyError at once if a live process holds it."""
    mine = Holder.here()
    with translate_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        while not create_lease(path, mine):
            other = read_holder(path)
            if other is None:  # released meanwhile
                continue
            living = other.is_alive()
            if living or (living is None and not heartbeat_stopped(path)):
                raise BusyError(
                    f"run {path.parent.name} is in progress in process {other.pid} on {other.host}; "
                    "wait for that process or stop it, then run the same command again"
                )
            remove_dead_lease(path, other)
    stop = threading.Event()
    heartbeat = threading.Thread(target=keep_heartbeat, args=(path, mine, stop), daemon=True)
    heartbeat.start()
    try:
        yield
    finally:
        stop.set()
        heartbeat.join()
        if read_holder(path) == mine:
            path.unlink(missing_ok=True)


def remove_if_dead(path: Path) -> None:
    """Remove a lease whose process is dead, and the removal lock of a process that died while it removed one."""
    if not path.exists():
        return
    remove_if_dead(removal_lock(path))
    other = read_holder(path)
    if other is not None and other.is_alive() is False:
        with suppress(BusyError):
            remove_dead_lease(path, other)


def create_lease(path: Path, holder: Holder) -> bool:
    """Create the lease unless there is one; return whether it was created.

    The file appears by a hard link, which is atomic on network file systems too.
    """
    temporary = partial_path(path)
    try:
        temporary.write_text(json.dumps(asdict(holder)), encoding="utf-8")
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        remove(temporary)
    return True


def read_holder(path: Path) -> Holder | None:
    """Return the holder of a lease, None if there is no lease, or UNREADABLE if the file is damaged."""
    try:
        return Holder(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        return UNREADABLE


def heartbeat_stopped(path: Path) -> bool:
    """Return whether the last heartbeat of a lease is too old, by the clock of the machine that keeps the folder."""
    now = partial_path(path)
    try:
        now.touch()
        return now.stat().st_mtime - path.stat().st_mtime > TIMEOUT_SECONDS
    except FileNotFoundError:
        return False  # released meanwhile
    finally:
        remove(now)


def remove_dead_lease(path: Path, dead: Holder) -> None:
    """Remove the lease of `dead`, unless another process has removed it meanwhile.

    The check and the removal are two steps, so they need a lease of their own. Without it, the second of two processes
    that saw the same dead holder could remove the lease that the first has just created.
    """
    with lease(removal_lock(path)):
        if read_holder(path) == dead:
            path.unlink(missing_ok=True)


def removal_lock(path: Path) -> Path:
    """Return the path of the lease under which the lease at `path` is removed."""
    return path.with_name(f"{path.name}.taking")


def keep_heartbeat(path: Path, mine: Holder, stop: threading.Event) -> None:
    """Touch the lease at intervals until `stop` is set or the lease is no longer `mine`."""
    while not stop.wait(HEARTBEAT_SECONDS) and read_holder(path) == mine:
        try:
            os.utime(path)
        except OSError:
            return
