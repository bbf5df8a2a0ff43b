"""Ctrl-C and a machine that is taken away: finish the step, save, stop, and say how to go on."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stopped(BaseException):
    """Somebody asked this process to stop, and what it has done is saved. No error: nothing may handle it as one."""


class Request:
    """Whether somebody asked: the first SIGINT or SIGTERM does, the second acts at once."""

    def __init__(self) -> None:
        self.made = False
        main = threading.current_thread() is threading.main_thread()  # signals reach no other thread
        self.earlier = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM) if main}

    def listen(self) -> None:
        """Be told first, and alone, whoever else asked to be meanwhile."""
        if not self.made:
            for number in self.earlier:
                signal.signal(number, self.note)

    def note(self, number: int, frame: FrameType | None) -> None:
        self.made = True
        self.forget()

    def forget(self) -> None:
        for number, handler in self.earlier.items():
            signal.signal(number, handler)


@contextmanager
def stoppable() -> Iterator[Request]:
    """While this lasts, somebody who asks this process to stop is listened to."""
    request = Request()
    request.listen()
    try:
        yield request
    finally:
        request.forget()
