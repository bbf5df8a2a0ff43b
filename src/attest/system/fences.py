"""Fences: what a process writes under a lease takes effect only while the lease is its own.

A process can be suspended between a check of its lease and the write that follows, and another process take the run
over meanwhile. Files are therefore written in a folder of the lease and then moved to their places. A process that
takes a lease over first removes that folder, so that every later move of the earlier holder fails. If the folder is on
another disk than the file, nothing can be moved: the lease is then checked just before the file is replaced or deleted.
"""

from contextvars import ContextVar
from pathlib import Path
from typing import Protocol


class Fence(Protocol):
    """The interface of a lease that the functions for writing files use."""

    @property
    def lost(self) -> bool:
        """True if the lease is known to have been taken over."""
        ...

    @property
    def folder(self) -> Path:
        """The folder of the temporary files, which exists only while the lease is held."""
        ...

    def check(self) -> None:
        """Raise LeaseLostError if another process has taken the lease over."""


current_fence: ContextVar[Fence | None] = ContextVar("current_fence", default=None)
"""The fence of the innermost lease that is held, or None if there is none."""


def check_fence() -> None:
    """Raise LeaseLostError if another process has taken over the lease under which this one works."""
    if (fence := current_fence.get()) is not None:
        fence.check()


def check_known_loss() -> None:
    """Raise LeaseLostError if the heartbeat has found that the lease was taken over; this reads no file."""
    if (fence := current_fence.get()) is not None and fence.lost:
        fence.check()
