"""Ctrl-C and a machine that is taken away: finish the step, save, stop, and say how to go on."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stopped(BaseException):
    """Somebody asked this process to stop, and what it has done is saved. No error: nothing may handle it as one."""


class Request:
    """Whether somebody asked."""

    made = False


@contextmanager
def stoppable() -> Iterator[Request]:
    """While this lasts, the first SIGINT or SIGTERM is a request; the second acts at once."""
    request = Request()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    earlier = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def note(number: int, frame: FrameType | None) -> None:
        request.made = True
        for each, handler in earlier.items():
            signal.signal(each, handler)

    for number in earlier:
        signal.signal(number, note)
    try:
        yield request
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)
