"""One process per run, also among machines that share a folder.

A lease is a small file that says who makes the run. It counts as left behind when its process is known to be
dead, or, where that cannot be known, when its heart has not beaten for a while.
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
from attest.system.files import explained, partial, remove
from attest.system.processes import alive, place, started

BEAT_SECONDS = 5.0
SILENT_SECONDS = 60.0
"""A heart that was not heard for so long has stopped."""


@dataclass(frozen=True)
class Holder:
    """Who holds a lease."""

    host: str
    place: str
    pid: int
    began: str
    token: str

    @classmethod
    def here(cls) -> "Holder":
        pid = os.getpid()
        return cls(socket.gethostname(), place(), pid, started(pid), secrets.token_hex(8))

    def living(self) -> bool | None:
        """None where that cannot be known. However silent: a process that somebody has halted, or that slept with its
        machine, goes on some time."""
        if self == DAMAGED:
            return False
        if self.place != place():
            return None
        return (True if self.began else None) if alive(self.pid, self.began) else False


DAMAGED = Holder(host="", place="", pid=0, began="", token="")
"""Who holds a lease that cannot be read: nobody."""


@contextmanager
def lease(path: Path) -> Iterator[None]:
    """Hold the lease at `path`, or raise BusyError at once if somebody alive holds it."""
    mine = Holder.here()
    with explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        while not create(path, mine):
            other = read(path)
            if other is None:  # given back meanwhile
                continue
            living = other.living()
            if living or (living is None and not silent(path)):
                raise BusyError(f"the run {path.parent.name} is being made by process {other.pid} on {other.host}")
            take_away(path, other)
    stop = threading.Event()
    heart = threading.Thread(target=beat, args=(path, mine, stop), daemon=True)
    heart.start()
    try:
        yield
    finally:
        stop.set()
        heart.join()
        if read(path) == mine:
            path.unlink(missing_ok=True)


def drop_if_dead(path: Path) -> None:
    """Remove a lease whose process was killed, also one that was killed while it took a lease away."""
    if not path.exists():
        return
    drop_if_dead(taking(path))
    other = read(path)
    if other is not None and other.living() is False:
        with suppress(BusyError):
            take_away(path, other)


def create(path: Path, holder: Holder) -> bool:
    """Write the lease if there is none. A hard link is made whole or not at all, on network folders too."""
    temporary = partial(path)
    try:
        temporary.write_text(json.dumps(asdict(holder)), encoding="utf-8")
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        remove(temporary)
    return True


def read(path: Path) -> Holder | None:
    try:
        return Holder(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        return DAMAGED


def silent(path: Path) -> bool:
    """Whether the heart behind a lease has stopped, by the clock of the machine that keeps the folder."""
    now = partial(path)
    try:
        now.touch()
        return now.stat().st_mtime - path.stat().st_mtime > SILENT_SECONDS
    except FileNotFoundError:
        return False  # given back meanwhile
    finally:
        remove(now)


def take_away(path: Path, dead: Holder) -> None:
    """Remove the lease of `dead`, unless somebody else did so meanwhile.

    Looking and removing are two steps. They are made under a lease of their own, or the second of two processes
    that found the same dead holder could remove what the first had just written.
    """
    with lease(taking(path)):
        if read(path) == dead:
            path.unlink(missing_ok=True)


def taking(path: Path) -> Path:
    return path.with_name(f"{path.name}.taking")


def beat(path: Path, mine: Holder, stop: threading.Event) -> None:
    while not stop.wait(BEAT_SECONDS) and read(path) == mine:
        try:
            os.utime(path)
        except OSError:
            return
