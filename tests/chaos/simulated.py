"""The operating system of simulated hosts: their disk, clock, processes and heartbeats."""

import io
import os
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from chaos.tasks import Process, Task

from attest.system import files, holders, leases

if TYPE_CHECKING:
    from chaos.hosts import World

os_utime = os.utime


@contextmanager
def simulated(world: "World") -> Iterator[None]:
    """Put the simulated disk, clock and processes in place of the real ones, for the tasks of a world."""

    def process() -> Process:
        return world.current.task.process

    def of_task(simulated_function: Callable[..., object], real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            here = getattr(world.current, "task", None) is not None
            return (simulated_function if here else real)(*arguments, **options)

        return call

    def wrapped(name: str, function: Callable[..., object]) -> Callable[..., object]:
        return lambda *arguments, **options: world.operation(name, function, *arguments, **options)

    def alive(pid: int, began: str = "") -> bool:
        return any(t.process.pid == pid and not t.process.dead and not t.done for t in world.tasks)

    def utime(path: object, times: object = None, **options: object) -> None:
        os_utime(path, (world.now, world.now) if times is None else times, **options)  # type: ignore[call-overload]

    @contextmanager
    def heartbeat(mine: leases.Lease) -> Iterator[None]:
        stopped = []

        def live() -> None:
            while True:
                beating.sleep(leases.HEARTBEAT_SECONDS)
                if stopped or not mine.beat():
                    return

        beating = Task(world, process(), live)
        beating.wake_at = world.now
        try:
            yield
        finally:
            stopped.append(True)

    clock = types.SimpleNamespace(
        time=lambda: world.now, monotonic=lambda: world.now, sleep=lambda seconds: world.current.task.sleep(seconds)
    )
    namespace = of_task(lambda: process().host.name, lambda: "here")
    tokens = types.SimpleNamespace(token_hex=lambda size: f"{world.rng.getrandbits(8 * size):0{2 * size}x}")
    real = {name: getattr(os, name) for name in ("replace", "link", "unlink", "mkdir", "rmdir", "scandir", "stat")}
    patches = [
        *(patch.object(os, name, wrapped(name, function)) for name, function in real.items()),
        patch.object(os, "utime", wrapped("utime", of_task(utime, os_utime))),
        patch.object(os, "fsync", wrapped("fsync", lambda descriptor: None)),
        patch.object(os, "getpid", of_task(lambda: process().pid, os.getpid)),
        patch.object(io, "open", wrapped("open", io.open)),
        patch.object(leases, "heartbeat", heartbeat),
        *(patch.object(module, "time", clock) for module in (leases, files)),
        *(patch.object(module, "secrets", tokens) for module in (holders, files)),
        *(patch.object(module, "process_namespace", namespace) for module in (holders, files)),
        *(patch.object(module, "is_alive", alive) for module in (holders, files)),
        patch.object(holders, "start_time", lambda pid: "began"),
        patch.object(leases.log, "disabled", True),
    ]
    for replacement in patches:
        replacement.start()
    try:
        yield
    finally:
        for replacement in reversed(patches):
            replacement.stop()
