"""End a worker process when its parent ends; a worker of a pool would otherwise wait for work forever."""

import os
import threading
import time
from functools import cache

WATCH_SECONDS = 1.0
"""The time between two looks at whether the parent is still there."""
WORKING = threading.RLock()
"""The lock to hold around work that must be finished even if the parent has ended."""


def end_with_parent(parent: int) -> None:
    """End this process soon after its parent, process `parent`, has ended, and at once if that has ended already.

    A command that is killed cannot end its processes. A process that has the id `parent` itself is left alone.
    """
    if parent == os.getpid():
        return
    if os.getppid() != parent:
        os._exit(1)
    start_watching(parent)


@cache
def start_watching(parent: int) -> None:
    """Start the thread that waits for the end of the parent; do nothing if it has been started."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        with WORKING:
            os._exit(1)

    threading.Thread(target=watch, name="end_with_parent", daemon=True).start()
