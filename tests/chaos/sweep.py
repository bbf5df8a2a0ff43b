"""A small sweep that can be killed and looked at: two models, two seeds, built-in corpora."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SWEEP = (
    "train", "-m", "model=s2t,bilstm", "seed=1,2", "protocol.steps=40", "protocol.evaluate_every=20",
    "trainer.checkpoint_seconds=0.2", "trainer.threads=1", "logger=none", "trainer.progress=false",
)  # fmt: skip
RUNS = 4


class Processes:
    """Starts command lines quickly, one after another."""

    def __init__(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("victim.py"))]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        self.server = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def run(
        self, home: Path, arguments=SWEEP, moment: str = "0:never", seconds: float | None = None
    ) -> tuple[int, str]:
        """Run one command line, killed at a moment or after some seconds; its exit status and what it said."""
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        with tempfile.NamedTemporaryFile("r") as errors:
            task = {"home": str(home), "moment": moment, "arguments": list(arguments), "errors": errors.name}
            self.server.stdin.write(json.dumps(task) + "\n")
            child = int(self.server.stdout.readline())
            timer = threading.Timer(seconds or 0, os.kill, (child, signal.SIGKILL))
            if seconds is not None:
                timer.start()
            status = json.loads(self.server.stdout.readline())["status"]
            timer.cancel()
            return status, errors.read()

    def close(self) -> None:
        self.server.communicate()


class Sweep:
    """The sweep in a home of its own."""

    def __init__(self, home: Path, processes: Processes) -> None:
        self.home, self.processes = home, processes

    def finish(self) -> tuple[int, float]:
        """Run the same command to its end; the number of moments at which it could have been killed, and seconds."""
        began = time.perf_counter()
        status, said = self.processes.run(self.home)
        assert status == 0, said
        return int(said.split()[-1]), time.perf_counter() - began

    def kill(self, rng: random.Random, moments: int, seconds: float) -> str:
        """Start it and kill it: half of the times at a random write, half at a random second. Says when.

        Moments are drawn from the first half, so that several kills in a row each find something to do.
        """
        if rng.random() < 0.5:
            moment = f"{rng.randrange(1, moments // 2)}:{rng.choice(['before', 'after'])}"
            self.processes.run(self.home, moment=moment)
            return f"write {moment}"
        delay = rng.uniform(0, seconds / 2)
        self.processes.run(self.home, seconds=delay)
        return f"{delay:.2f} s"

    def metrics(self) -> dict[str, dict]:
        """Run id -> final metrics and curve: what has to be equal. Also checks that each record is whole."""
        records = sorted((self.home / "results/mini/records").glob("*.json"))
        loaded = [json.loads(path.read_text()) for path in records]
        assert all((path.parent / f"{path.stem}.npz").is_file() for path in records)
        return {record["id"]: {**record["metrics"], "curve": record["curve"]} for record in loaded}

    def leftovers(self) -> list[str]:
        """Files that no finished run needs."""
        temporary = [path for path in self.home.rglob("*") if ".partial-" in path.name]
        unneeded = [path for name in ("last.ckpt", "lease.json") for path in self.home.rglob(name)]
        weights = [path for folder in (self.home / "runs").iterdir() for path in sorted(folder.glob("best-*.pt"))[1:]]
        return [str(path.relative_to(self.home)) for path in (*temporary, *unneeded, *weights)]
