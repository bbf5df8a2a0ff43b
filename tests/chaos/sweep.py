"""A small sweep that can be killed and looked at: two models, two seeds, built-in corpora, a checkpoint each step."""

import json
import random
import threading
import time
from functools import partial
from pathlib import Path

from chaos.victim import attest_with_traps
from commands import Command
from homes import with_corpora

SWEEP = (
    "train", "-m", "model=s2t,bilstm", "seed=1,2", "protocol.steps=6", "protocol.evaluate_every=3",
    "trainer.checkpoint_seconds=0", "trainer.threads=1", "trainer.on_train=false", "trainer.progress=false",
    "logger=none",
)  # fmt: skip
RUNS = 4


def run_with_traps(
    home: Path, *arguments: str, moment: int = 0, side: str = "never", seconds: float | None = None
) -> tuple[int, str]:
    """Run a command, killed at the write with the number `moment` or after some seconds; return its exit code, negative
    for a signal, and its errors."""
    command = Command(*arguments, main=partial(attest_with_traps, moment, side), ATTEST_HOME=str(home))
    timer = threading.Timer(seconds or 0, command.process.kill)
    if seconds is not None:
        timer.start()
    _, errors = command.communicate()
    timer.cancel()
    return command.wait(), errors


class Sweep:
    """The sweep in a home of its own, which makes the built-in corpora unless `corpora` names a folder with them."""

    def __init__(self, home: Path, corpora: Path | None = None) -> None:
        self.home = home
        if corpora is not None:
            with_corpora(home, corpora)

    def finish(self) -> tuple[int, float]:
        """Run the same command to its end; the number of moments at which it could have been killed, and seconds."""
        began = time.perf_counter()
        status, said = run_with_traps(self.home, *SWEEP)
        assert status == 0, said
        return int(said.split()[-1]), time.perf_counter() - began

    def kill(self, rng: random.Random, moments: int, seconds: float) -> str:
        """Start it and kill it: half of the times at a random write, half at a random second. Says when.

        Moments are drawn from the first half, so that several kills in a row each find something to do.
        """
        if rng.random() < 0.5:
            moment, side = rng.randrange(1, moments // 2), rng.choice(["before", "after"])
            run_with_traps(self.home, *SWEEP, moment=moment, side=side)
            return f"{side} write {moment}"
        delay = rng.uniform(0, seconds / 2)
        run_with_traps(self.home, *SWEEP, seconds=delay)
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
