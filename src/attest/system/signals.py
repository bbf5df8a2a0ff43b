"""Stop requests (Ctrl-C, SIGTERM, a closed terminal, a cluster's signal): training ends its step, saves and stops."""

import os
import signal
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
Handler = Callable[[int, FrameType | None], Any] | int | None
"""A handler of a signal, as `signal.getsignal` returns it."""


class Stopped(BaseException):
    """The run has stopped on request and its state is saved.

    It derives from BaseException because it is not an error: code that handles errors must not catch it.
    """


class ReceivedSignal:
    """The signal that has asked this process to stop, for its exit code; SIGINT until one is received."""

    number: int = signal.SIGINT

    @classmethod
    def forget(cls) -> None:
        """Forget the signals of an earlier command of this process."""
        cls.number = signal.SIGINT


def exit_code_of_signal() -> int:
    """Return the exit code of a process that a signal has stopped, as shells have it: 130 of SIGINT, 143 of SIGTERM."""
    return 128 + ReceivedSignal.number


class StopRequest:
    """A flag that the first SIGINT, SIGTERM or SIGHUP sets. A second signal has its usual effect and ends the process.

    After a SIGHUP, later ones are ignored: a terminal that is closed, such as that of a lost connection, sends two.
    SIGUSR2 counts too where it has a handler: that of a cluster's job, which receives it before its time is up. A
    signal that this process ignores is still ignored.
    """

    def __init__(self, on_request: Callable[[], None] | None = None) -> None:
        self.received, self.on_request = False, on_request
        self.earlier = handlers_of_stop_signals()
        if on_main_thread() and callable(handler := signal.getsignal(signal.SIGUSR2)):
            self.earlier[signal.SIGUSR2] = handler

    def listen(self) -> None:
        """Install the handler in place of all others, unless a request has been received already."""
        if not self.received:
            for number in self.earlier:
                signal.signal(number, self.receive)

    def receive(self, number: int, frame: FrameType | None) -> None:
        """Set the flag, restore the earlier handlers and call `on_request`; this is the signal handler."""
        self.received, ReceivedSignal.number = True, number
        if number == signal.SIGHUP:
            self.earlier[signal.SIGHUP] = signal.SIG_IGN
        self.restore_handlers()
        leave_closed_terminal()
        if self.on_request is not None:
            self.on_request()

    def restore_handlers(self) -> None:
        """Install the handlers that were there before this object was made."""
        for number, handler in self.earlier.items():
            signal.signal(number, handler)


def handlers_of_stop_signals() -> dict[signal.Signals, Handler]:
    """Return the handlers of STOP_SIGNALS, but not of one that this process ignores; none on other threads."""
    handlers = {number: signal.getsignal(number) for number in STOP_SIGNALS if on_main_thread()}
    return {number: handler for number, handler in handlers.items() if handler is not signal.SIG_IGN}


def on_main_thread() -> bool:
    """Return whether this is the main thread, the only one that signals reach."""
    return threading.current_thread() is threading.main_thread()


def leave_closed_terminal() -> None:
    """Discard what this process still writes to a terminal that was closed, which would refuse it with an error."""
    null = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        with suppress(OSError):  # closed
            if stat.S_ISCHR(os.fstat(number).st_mode) and not os.isatty(number):
                os.dup2(null, number)
    os.close(null)


@contextmanager
def stopped_by_command() -> Iterator[None]:
    """Ignore Ctrl-C and SIGHUP, and raise Stopped at SIGTERM: for a job in a process of its own.

    Ctrl-C reaches all processes of a terminal, as its closing does. The command of the job receives it too, and sends
    SIGTERM to its jobs. After the block, the process ignores all these signals, so that one that comes late does not
    end it.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped("stopped before the first step")

    if on_main_thread():
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        if on_main_thread():
            signal.signal(signal.SIGTERM, signal.SIG_IGN)


@contextmanager
def stop_requests(on_request: Callable[[], None] | None = None) -> Iterator[StopRequest]:
    """Listen for stop requests during the block and yield the flag that they set; call `on_request` at the first."""
    request = StopRequest(on_request)
    request.listen()
    try:
        yield request
    finally:
        request.restore_handlers()


@contextmanager
def interrupts_kept_from_new_processes() -> Iterator[None]:
    """Keep Ctrl-C and SIGHUP from processes that start in the block, until they ignore or handle them themselves.

    They inherit from this thread that it blocks both. Another thread receives them, so that they have their effect
    here.
    """
    resource_tracker.ensure_running()  # in Python 3.11, it unblocks SIGINT when it starts, which joblib lets it do
    ended = threading.Event()
    threading.Thread(target=ended.wait, name="receive_interrupts", daemon=True).start()
    earlier = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGHUP])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, earlier)
        ended.set()
