"""Stop requests (Ctrl-C, SIGTERM, a cluster's signal): training ends its step, saves a checkpoint and stops."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stopped(BaseException):
    """The run has stopped on request and its state is saved.

    It derives from BaseException because it is no error: code that handles errors must not catch it.
    """


class StopRequest:
    """A flag that the first SIGINT or SIGTERM sets. A second signal has its usual effect and ends the process.

    SIGUSR2 counts too where it has a handler: that of a cluster's job, which receives it before its time is up.
    """

    def __init__(self) -> None:
        self.received = False
        main = threading.current_thread() is threading.main_thread()  # signals reach no other thread
        numbers = [signal.SIGINT, signal.SIGTERM] if main else []
        if main and callable(signal.getsignal(signal.SIGUSR2)):
            numbers.append(signal.SIGUSR2)
        self.earlier = {number: signal.getsignal(number) for number in numbers}

    def listen(self) -> None:
        """Install the handler in place of all others, unless a request has been received already."""
        if not self.received:
            for number in self.earlier:
                signal.signal(number, self.receive)

    def receive(self, number: int, frame: FrameType | None) -> None:
        """Set the flag and restore the earlier handlers; this is the signal handler."""
        self.received = True
        self.restore_handlers()

    def restore_handlers(self) -> None:
        """Install the handlers that were there before this object was made."""
        for number, handler in self.earlier.items():
            signal.signal(number, handler)


@contextmanager
def stop_requests() -> Iterator[StopRequest]:
    """Listen for stop requests during the block and yield the flag that they set."""
    request = StopRequest()
    request.listen()
    try:
        yield request
    finally:
        request.restore_handlers()
