"""Leases: locks in a shared folder that let one process at a time carry out a run, also across machines.

A lease is a small file that names its holder, which touches the file every few seconds (the heartbeat). A lease is
stale when its process is known to be dead or, if that cannot be known, when the heartbeat has stopped. A passing error
of a shared disk stops no heartbeat: a lease is lost only when its file says so.
"""

import errno
import logging
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from attest.errors import BusyError, LeaseLostError
from attest.system.fences import current_fence
from attest.system.files import discard, partial_path, time_of_folder
from attest.system.holders import Holder, create_lease, held_tokens, read_holder
from attest.system.write_errors import translate_write_errors

HEARTBEAT_SECONDS = 5.0
TIMEOUT_SECONDS = 60.0
"""The age of the last heartbeat at which a lease of an unknown process counts as stale."""
RETRY_SECONDS = 0.5
LEASE_SUFFIX = ".lease.json"
"""The ending of the name of a lease that stands beside a file or folder."""
RELEASE_ATTEMPTS = 10
"""The number of attempts to remove a lease's files at its end, while the disk reports errors."""
REMOVAL_ATTEMPTS = 10
"""The number of attempts to remove a folder into which another process still writes."""
REMOVAL_PAUSE_SECONDS = 0.05

log = logging.getLogger(__name__)


class Lease:
    """A lease of this process: the fence of everything that the process writes while it holds the lease."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name, self.holder = path, name, Holder.here()
        self.outer = current_fence.get()
        self.lost = False
        self.taker: Holder | None = None
        """The process that has taken the lease over; None if none is known."""

    @property
    def folder(self) -> Path:
        """The folder of the temporary files written under the lease."""
        return self.holder.folder(self.path)

    def refresh(self) -> bool:
        """Read the lease file, and return whether this process still holds the lease.

        A process that takes the lease over removes first the folder and then the file, and may be killed in between.
        The lease therefore counts as lost as soon as its folder is gone. Raise OSError if the file cannot be read.
        """
        if not self.lost:
            holder = read_holder(self.path)
            if holder != self.holder:
                self.lost, self.taker = True, holder
            self.lost = self.lost or not self.folder.is_dir()
        return not self.lost

    def check(self) -> None:
        """Raise LeaseLostError if this process no longer holds the lease.

        Wait while the file cannot be read; raise its OSError after TIMEOUT_SECONDS.
        """
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while True:
            try:
                if self.refresh():
                    break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_SECONDS)
                continue
            raise LeaseLostError(self.loss_message())
        if self.outer is not None:
            self.outer.check()

    def loss_message(self) -> str:
        """Return the error text of the lost lease."""
        taker = f"process {self.taker.pid} on {self.taker.host}" if self.taker else "another process"
        return (
            f"{self.name} was taken over by {taker}, since this process could not renew its lease for over "
            f"{TIMEOUT_SECONDS:.0f} seconds; it stops here and has changed nothing since"
        )

    def beat(self) -> bool:
        """Renew the lease; return False if it is lost. After a disk error, the next beat tries again."""
        with suppress(OSError):
            if self.refresh():
                os.utime(self.path)
                os.utime(self.folder)  # else it would count as left behind where nothing is written for a day
        return not self.lost


@contextmanager
def lease(path: Path, name: str = "") -> Iterator[Lease]:
    """Hold the lease at `path` during the block. Raise BusyError at once if a live process holds it.

    Atomic writes in the block raise LeaseLostError, and write nothing, once another process has taken the lease over.
    `name` is what errors call the work, by default the run that the folder is named after.
    """
    mine = Lease(path, name or f"run {path.parent.name}")
    held_tokens.add(mine.holder.token)
    try:
        with translate_write_errors(path):
            acquire(mine)
        with fenced_by(mine), heartbeat(mine):
            yield mine
    finally:
        try:
            release(mine)
        finally:  # also if Ctrl-C ends the release: this process no longer holds the lease
            held_tokens.discard(mine.holder.token)


@contextmanager
def wait_for_lease(path: Path, name: str) -> Iterator[Lease]:
    """Hold the lease at `path` during the block, after the process that holds it now has released it."""
    with ExitStack() as stack:
        waiting = False
        while True:
            try:
                mine = stack.enter_context(lease(path, name))
                break
            except BusyError as busy:
                if not waiting:
                    log.info("waiting: %s", str(busy).partition(";")[0])
                waiting = True
                time.sleep(RETRY_SECONDS)
        yield mine


@contextmanager
def fenced_by(mine: Lease) -> Iterator[None]:
    """Let the writes of the block take effect only while the lease is held."""
    token = current_fence.set(mine)
    try:
        yield
    finally:
        current_fence.reset(token)


def acquire(mine: Lease) -> None:
    """Create the lease, after removing that of a dead process; raise BusyError if a live process holds it."""
    mine.folder.mkdir(parents=True, exist_ok=True)
    while not create_lease(mine.path, mine.holder):
        other = read_holder(mine.path)
        if other is None:  # released meanwhile
            continue
        if not is_dead(mine.path, other):
            raise BusyError(
                f"{mine.name} is in progress in process {other.pid} on {other.host}; "
                "wait for that process or stop it, then run the same command again"
            )
        remove_dead_lease(mine.path, other)


def release(mine: Lease) -> None:
    """Remove the lease, if it is still this process's, and its folder; while the disk reports errors, try again."""
    for _ in range(RELEASE_ATTEMPTS):
        try:
            if read_holder(mine.path) == mine.holder:
                with suppress(FileNotFoundError):  # lost at this moment, and the folder with it
                    os.replace(mine.path, mine.folder / mine.path.name)
            return remove_tree(mine.folder)
        except OSError:
            time.sleep(RETRY_SECONDS)
    log.warning("%s could not be removed; it counts as stale when this process ends", mine.path)
    return None


@contextmanager
def heartbeat(mine: Lease) -> Iterator[None]:
    """Renew the lease at intervals during the block, in a thread."""
    stop = threading.Event()
    thread = threading.Thread(target=keep_heartbeat, args=(mine, stop), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def keep_heartbeat(mine: Lease, stop: threading.Event) -> None:
    """Renew the lease at intervals until `stop` is set or the lease is lost."""
    while not stop.wait(HEARTBEAT_SECONDS) and mine.beat():
        pass


def lease_file(folder: Path) -> Path:
    """Return the path of the lease of a run in its folder, which need not exist."""
    return folder / "lease.json"


def lease_beside(path: Path) -> Path:
    """Return the path of the lease under which the file or folder `path` is made, which stands beside it."""
    return path.with_name(f"{path.name}{LEASE_SUFFIX}")


def is_held(path: Path) -> bool:
    """Return whether a lease exists whose holder is not dead."""
    holder = read_holder(path)
    return holder is not None and not is_dead(path, holder)


def is_dead(path: Path, holder: Holder) -> bool:
    """Return whether the holder of the lease at `path` is known to be dead or, if nothing is known, is silent."""
    living = holder.is_alive()
    return living is False or (living is None and heartbeat_stopped(path))


def heartbeat_stopped(path: Path) -> bool:
    """Return whether the last heartbeat of a lease is too old."""
    try:
        return time_of_folder(path) - path.stat().st_mtime > TIMEOUT_SECONDS
    except FileNotFoundError:
        return False  # released meanwhile


def remove_if_dead(path: Path) -> None:
    """Remove a lease whose process is dead, and the removal locks of processes that died while they removed one."""
    for file in sorted(path.parent.glob(f"{path.name}*"), reverse=True):  # the lock of a lock before the lock
        other = read_holder(file)
        if other is not None and other.is_alive() is False:
            with suppress(BusyError):
                remove_dead_lease(file, other)


def remove_dead_lease(path: Path, dead: Holder) -> None:
    """Remove the lease of `dead` and its folder, unless its heart beats again or another process has removed it.

    The check and the removal are two steps, so they need a lease of their own. Without it, the second of two processes
    that saw the same dead holder could remove the lease that the first has just created.
    """
    with lease(removal_lock(path), f"run {path.parent.name}"):
        if read_holder(path) == dead and is_dead(path, dead):
            folder, removed = dead.folder(path), partial_path(dead.folder(path))
            with suppress(FileNotFoundError):
                os.replace(folder, removed)  # from here on, nothing that the holder still writes takes effect
            if read_holder(path) == dead:  # else the holder has released it after all, and another process has begun
                discard(path)
            with suppress(OSError):  # NFS keeps what a process still has open
                remove_tree(removed)


def removal_lock(path: Path) -> Path:
    """Return the path of the lease under which the lease at `path` is removed."""
    return path.with_name(f"{path.name}.taking")


def remove_tree(folder: Path) -> None:
    """Remove a folder into which another process may still write.

    Raise OSError if the folder is still not empty after REMOVAL_ATTEMPTS: NFS keeps a deleted file there for as long as
    a process has it open.
    """
    for attempt in range(1, REMOVAL_ATTEMPTS + 1):
        if not folder.is_dir():
            return
        try:
            shutil.rmtree(folder)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTEMPTY) or attempt == REMOVAL_ATTEMPTS:
                raise
            time.sleep(REMOVAL_PAUSE_SECONDS)
