"""Commands that the tests of launchers start, and what is the same in the records of all launchers."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from cluster.slurm import Slurm
from commands import SOURCES
from places import ROOT

QUICK = (
    "protocol.steps=20", "protocol.evaluate_every=10", "logger=none", "trainer.threads=1", "trainer.on_train=false",
)  # fmt: skip

ARRAY = ("hydra/launcher=slurm", "hydra.launcher.cpus_per_task=1", "hydra.launcher.mem_gb=null")


def slowly(seconds: float) -> tuple[str, ...]:
    """Return overrides that make each step last so long; they change no id."""
    callback = f"{{_target_:cluster.slow.Slow,seconds:{seconds}}}"
    return (f"trainer.callbacks=[{callback}]", "packages=[attest,torch.optim,cluster]", "trainer.checkpoint_seconds=1")


def variables(home: Path) -> dict[str, str]:
    """Return the environment of a command with a home of its own."""
    return {**os.environ, "ATTEST_HOME": str(home), "PYTHONPATH": SOURCES}


def records_in(home: Path) -> dict[str, dict]:
    """Return what a run's record says apart from times and the machine, by the id of the run."""
    paths = sorted((home / "results/mini/records").glob("*.json"))
    return {path.stem: lasting(json.loads(path.read_text())) for path in paths}


def lasting(record: dict) -> dict:
    """Return the fields of a finished run's record that depend neither on time nor on the machine."""
    assert record["status"] == "done"
    return {name: value for name, value in record.items() if name not in ("environment", "cost", "finished")}


def run_here(home: Path, *arguments: str, python: str = sys.executable, **added: str) -> dict[str, dict]:
    """Return the records of a command, in a home of its own; `added` are further variables of its environment."""
    command, environment = [python, "-m", "attest.cli", *arguments], {**variables(home), **added}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return records_in(home)


class Command:
    """A command in a home of its own that goes on beside the test, on the login node of a SLURM if there is one."""

    def __init__(self, home: Path, *arguments: str, slurm: Slurm | None = None) -> None:
        self.home, self.output = home, home.with_suffix(f".{time.monotonic_ns()}.out")
        environment = {**variables(home), **(slurm.variables if slurm else {})}
        with self.output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "attest.cli", *arguments], cwd=ROOT, env=environment, stdout=file, stderr=file
            )

    def end(self, seconds: float = 240) -> tuple[int, str]:
        """Return the exit code and the output of the command, once it has ended."""
        code = self.process.wait(seconds)
        return code, self.output.read_text()

    def records(self) -> dict[str, dict]:
        """Return the records of the command, once it has ended without an error."""
        code, printed = self.end()
        assert code == 0, printed
        return records_in(self.home)

    def kill(self) -> None:
        """End the command at once."""
        self.process.kill()
        self.process.wait()
