"""Two simulated hosts that start one run on one shared disk, whose operations fail, stall and come too late.

Every operation on a file is a moment at which the scheduler may let the other host go on, suspend a host for longer
than a lease lasts, kill its process, or let the disk report ESTALE, EIO or ENOSPC: before the operation, or after it
was carried out, as a network file system does. Time is simulated. The code under the operations is the real one.
"""

import errno
import json
import os
import random
import threading
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np
from chaos.simulated import os_utime, simulated
from chaos.tasks import Killed, Process, Task

from attest.errors import BusyError, LeaseLostError, MachineError, StorageError
from attest.runs.lifecycle import run_once
from attest.runs.observers import no_observers
from attest.runs.records import Record
from attest.runs.run_folder import keep_weights, weights_file
from attest.runs.store import Store
from attest.system import leases
from attest.system.failures import machine_error
from attest.system.files import write_bytes, write_json

STEPS, BEST = 4, (1, 3)
"""The steps of the run, and those whose weights are the best so far."""
STEP_SECONDS = 40.0
FAULT_SECONDS = 400.0
"""The simulated time after which hosts and disk work without faults."""
ERRORS = (errno.ESTALE, errno.EIO, errno.ENOSPC)
IDENTITY = "0123456789ab"
EFFECTIVE = ("replace", "link", "unlink", "utime", "mkdir", "rmdir")
"""The operations that a disk may carry out although it reports an error."""
WRITING = ("replace", "link", "mkdir", "open", "fsync")
LONGEST = 20_000
"""The operations after which a schedule counts as one that never ends."""


class Host:
    """A machine on which a user types the same command until the run is finished."""

    def __init__(self, world: "World", name: str) -> None:
        self.world, self.name, self.asleep_until = world, name, 0.0
        self.finished = False
        self.start()

    def start(self) -> None:
        self.world.last_pid += 1
        self.process = Process(self, self.world.last_pid)
        self.task = Task(self.world, self.process, self.work)

    def work(self) -> None:
        world = self.world
        while True:
            try:
                world.run()
            except LeaseLostError:
                world.counts["leases lost"] += 1
            except (BusyError, StorageError, MachineError):
                world.counts["stops"] += 1
            except OSError as error:
                if machine_error(error) is None:
                    raise
                world.counts["stops"] += 1
            else:
                self.finished = True
                return
            self.task.sleep(world.rng.uniform(1, 30))


class World:
    """One schedule: two hosts, a disk, a clock, and chance with a seed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.rng, self.now, self.last_pid = folder, random.Random(seed), 1e9, 100
        self.begin, self.operations, self.watching = self.now, 0, False
        self.violations: list[str] = []
        self.counts = dict.fromkeys(("leases lost", "stops", "kills", "errors of the disk"), 0)
        self.tasks: list[Task] = []
        self.current = threading.local()
        self.scheduler = threading.Lock()
        self.scheduler.acquire()
        self.rates = {name: self.rng.choice((0.0, high)) for name, high in
                      (("error", 0.03), ("sleep", 0.01), ("kill", 0.004))}  # fmt: skip
        self.store = Store(folder / "results/records")
        self.run_folder = folder / "runs" / IDENTITY
        paths = types.SimpleNamespace(
            runs=str(folder / "runs"), records=str(self.store.folder), cache=str(folder / "cache")
        )
        trainer = types.SimpleNamespace(keep_last=False)
        self.settings = types.SimpleNamespace(
            paths=paths, retry_failed=False, retry_uncommitted=False, trainer=trainer, packages=()
        )
        self.hosts: list[Host] = []

    @property
    def faulty(self) -> bool:
        return self.now - self.begin < FAULT_SECONDS

    # -- What a host does

    def run(self) -> Record:
        return run_once(IDENTITY, self.settings, no_observers, lambda observers: self.train(), self.record_of)  # type: ignore[arg-type]

    def train(self) -> tuple[Record, dict[str, np.ndarray]]:
        """The real run in small: weights of the best steps, a checkpoint after each, and old weights removed."""
        folder, last = self.run_folder, self.run_folder / "last.ckpt"
        done, best = json.loads(last.read_text()) if last.is_file() else (0, 0)
        for step in range(done + 1, STEPS + 1):
            self.current.task.sleep(STEP_SECONDS)
            saved = best
            if step in BEST:
                write_bytes(weights_file(folder, step), b"weights of step %d" % step)
                best = step
                keep_weights(folder, best, saved)
            write_json(last, [step, best])
            keep_weights(folder, best)
        assert weights_file(folder, best).read_bytes() == b"weights of step %d" % best
        return self.record_of(status="done", selected={"step": best}), {"rows": np.arange(3)}

    def record_of(self, **outcome: object) -> Record:
        facts = {"settings": {}, "versions": {}, "data": {"fingerprint": "f"}, "seed": 1}
        return Record(id=IDENTITY, **facts, **outcome)  # type: ignore[arg-type]

    # -- The disk

    def operation(self, name: str, function: Callable[..., object], *arguments: object, **options: object) -> object:
        """Carry out one operation of a simulated process, now or never, whole or with an error."""
        task: Task | None = getattr(self.current, "task", None)
        if task is None or self.watching:
            return function(*arguments, **options)
        if task.process.dead:
            raise Killed
        self.operations += 1
        task.pause()
        fails = self.faulty and self.rng.random() < self.rates["error"]
        effective = not fails or (name in EFFECTIVE and self.rng.random() < 0.5)
        if effective:
            self.watching = True
            violations = self.seen(task.process, name, arguments)
            self.watching = False
            result = function(*arguments, **options)  # an operation that fails by itself violates nothing
            self.violations += violations
            if name == "link":
                os_utime(arguments[1], (self.now, self.now))
        if fails:
            self.counts["errors of the disk"] += 1
            number = self.rng.choice(ERRORS if name in WRITING else ERRORS[:2])
            raise OSError(number, os.strerror(number), str(arguments[0]))
        return result

    def seen(self, process: Process, name: str, arguments: tuple[object, ...]) -> list[str]:
        """Return what is wrong with an operation: a process changes a file of the run and does not hold the lease."""
        if name not in ("replace", "unlink"):
            return []
        target = Path(str(arguments[-1] if name == "replace" else arguments[0]))
        moved = Path(str(arguments[0]))
        changed = [path for path in (target, moved) if self.is_result(path)]
        if not changed or (self.recorded() and target.parent != self.store.folder):
            return []  # what is left of a finished run may be removed by all
        try:
            holder = json.loads((self.run_folder / "lease.json").read_bytes())["pid"]
        except FileNotFoundError:
            holder = None
        wrong = []
        if holder != process.pid:
            wrong.append(f"process {process.pid} changed {changed[0].name} under the lease of process {holder}")
        if target.name == "last.ckpt" and name == "replace" and moved.is_file():
            before = json.loads(target.read_bytes())[0] if target.is_file() else 0
            if (after := json.loads(moved.read_bytes())[0]) != before + 1:
                wrong.append(f"{target.name} went from step {before} to {after}")
        if target == self.store.record_path(IDENTITY) and target.is_file():
            wrong.append("recorded twice")
        return wrong

    def is_result(self, path: Path) -> bool:
        own = path.parent == self.run_folder and path.name.startswith(("best-", "last.ckpt"))
        return own or (path.parent == self.store.folder and not path.name.startswith("."))

    def recorded(self) -> bool:
        return self.store.record_path(IDENTITY).is_file()

    # -- The scheduler

    def play(self) -> None:
        """Let the hosts work until both have finished."""
        with simulated(self):
            self.hosts = [Host(self, "one"), Host(self, "two")]
            while not all(host.finished for host in self.hosts) and not self.violations:
                self.turn()
                if self.operations > LONGEST:
                    self.violations.append("the schedule does not end")
            for host in self.hosts:  # what they left, the same command removes
                if not self.violations:
                    host.finished = False
                    host.process.dead = True
                    host.start()
                    while not host.finished and not self.violations:
                        self.turn()
            for task in self.tasks:
                task.process.dead = True
                while not task.done:
                    task.baton.release()
                    self.scheduler.acquire()

    def turn(self) -> None:
        """Let one task go on to its next operation."""
        self.tasks = [task for task in self.tasks if not task.done]
        awake = [task for task in self.tasks if task.process.host.asleep_until <= self.now or task.process.dead]
        ready = [task for task in awake if task.wake_at <= self.now or task.process.dead]
        if not ready:
            self.now = min(max(task.wake_at, task.process.host.asleep_until) for task in self.tasks)
            return
        task = self.rng.choice(ready)
        self.now += self.rng.expovariate(1 / 0.05)
        if self.faulty:
            self.misfortune(task.process)
        task.baton.release()
        self.scheduler.acquire()

    def misfortune(self, process: Process) -> None:
        """Suspend the host of a process, or kill the process, with some probability."""
        host = process.host
        if self.rng.random() < self.rates["sleep"]:
            host.asleep_until = self.now + self.rng.uniform(1, 2.5 * leases.TIMEOUT_SECONDS)
        if self.rng.random() < self.rates["kill"] and not process.dead and not host.finished:
            self.counts["kills"] += 1
            process.dead = True
            host.start()
            host.task.wake_at = self.now + self.rng.uniform(1, 30)

    # -- What the end has to be

    def check(self) -> None:
        """Note a violation, if the run is not recorded whole and once, or if anything is left over."""
        if self.counts["leases lost"] and not self.rates["sleep"]:
            self.violations.append("a lease was lost though no host was suspended")
        record = self.store.get(IDENTITY)
        if record is None or record.status != "done":
            self.violations.append(f"no finished record but {record}")
            return
        if self.store.arrays(IDENTITY)["rows"].tolist() != [0, 1, 2]:
            self.violations.append("the predictions are not whole")
        best = weights_file(self.run_folder, BEST[-1])
        left = [path.name for path in self.run_folder.iterdir() if path != best and ".partial-" not in path.name]
        if left or best.read_bytes() != b"weights of step %d" % BEST[-1]:
            self.violations.append(f"left over: {left}")
