"""Holders of leases: which process holds one, and whether it still exists."""

import json
import os
import secrets
import socket
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from attest.system.files import PARTIAL_MARK, partial_path, remove
from attest.system.processes import is_alive, process_namespace, start_time

held_tokens: set[str] = set()
"""The tokens of the leases that this process holds. Another lease that names this process was left by a failed
release."""


@dataclass(frozen=True)
class Holder:
    """The process that holds a lease. The fields are the keys of the lease file."""

    host: str
    place: str
    """The `process_namespace` of the process, since only processes of the same namespace can look up `pid`."""
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

    def exists(self) -> bool | None:
        """Return whether the process still exists, or None if it is not one of this process namespace."""
        return is_alive(self.pid, self.began) if self.place == process_namespace() else None

    def is_alive(self) -> bool | None:
        """Return whether the process still exists and holds the lease, or None if that cannot be known from here.

        The heartbeat does not count: a process that was suspended, or whose machine slept, will continue.
        """
        if self == UNREADABLE:
            return False
        if not (exists := self.exists()):
            return exists
        if self.pid == os.getpid():
            return self.token in held_tokens
        return True if self.began else None

    def folder(self, path: Path) -> Path:
        """Return the folder of the temporary files that this holder of the lease at `path` writes.

        It is named as the temporary files of this process are, so that it is removed with them.
        """
        return path.with_name(f".{path.name}{PARTIAL_MARK}{self.place}-{self.pid}-{self.token}")


UNREADABLE = Holder(host="", place="", pid=0, began="", token="")
"""The holder of a lease file that cannot be read; it counts as dead."""


def read_holder(path: Path) -> Holder | None:
    """Return the holder of a lease, None if there is no lease, or UNREADABLE if the file is damaged."""
    try:
        return Holder(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        return UNREADABLE


def create_lease(path: Path, holder: Holder) -> bool:
    """Create the lease unless there is one; return whether it was created.

    The file appears by a hard link, which is atomic on network file systems too. Such a file system may report an
    error of a link that it has made, so the file says whether it was.
    """
    temporary = partial_path(path)
    try:
        temporary.write_text(json.dumps(asdict(holder)), encoding="utf-8")
        os.link(temporary, path)
    except FileExistsError:
        return read_holder(path) == holder
    except OSError:
        if read_holder(path) != holder:
            raise
    finally:
        with suppress(OSError):
            remove(temporary)
    return True
