"""Simulated processes, each of one thread and the threads of its heartbeats, of which one runs at a time."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chaos.hosts import Host, World


class Killed(BaseException):
    """The process was killed: none of its further operations takes effect."""


class Process:
    """A process of a simulated host."""

    def __init__(self, host: "Host", pid: int) -> None:
        self.host, self.pid, self.dead = host, pid, False


class Task:
    """A thread of a process, which runs only while it holds the baton."""

    def __init__(self, world: "World", process: Process, function: Callable[[], None]) -> None:
        self.world, self.process, self.wake_at, self.done = world, process, 0.0, False
        self.baton = threading.Lock()
        self.baton.acquire()
        self.thread = threading.Thread(target=self.live, args=(function,), daemon=True)
        self.thread.start()
        world.tasks.append(self)

    def live(self, function: Callable[[], None]) -> None:
        self.world.current.task = self
        self.baton.acquire()
        try:
            function()
        except Killed:
            pass
        except BaseException as error:
            self.world.violations.append(f"{type(error).__name__}: {error}")
        self.done = True
        self.world.scheduler.release()

    def pause(self) -> None:
        """Hand the baton to the scheduler, and wait to get it back."""
        self.world.scheduler.release()
        self.baton.acquire()
        if self.process.dead:
            raise Killed

    def sleep(self, seconds: float) -> None:
        self.wake_at = self.world.now + seconds
        self.pause()
