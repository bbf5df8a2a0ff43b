"""Commands that kill themselves at a chosen write."""

import atexit
import os
import signal
import sys
from collections.abc import Sequence

from commands import attest

NAMES = ("replace", "rename", "fsync", "link")
"""The functions of os that are counted as writes: renames, links and flushes to disk."""


def set_traps(number: int, side: str) -> None:
    """Count every write of this process, and make the write with this number its last.

    The process sends itself SIGKILL `before` or `after` it. A process that lives prints the number of its writes as the
    last line of its errors.
    """
    seen = [0]

    def deadly(function):
        def call(*arguments, **options):
            seen[0] += 1
            chosen = seen[0] == number
            if chosen and side == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            result = function(*arguments, **options)
            if chosen and side == "after":
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return call

    for name in NAMES:
        setattr(os, name, deadly(getattr(os, name)))
    atexit.register(lambda: print(f"\n{seen[0]}", file=sys.stderr, flush=True))


def attest_with_traps(number: int, side: str, arguments: Sequence[str]) -> int:
    """Run the command line with traps set; return its exit code."""
    set_traps(number, side)
    return attest(arguments)
