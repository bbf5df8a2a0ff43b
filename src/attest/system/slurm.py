"""SLURM's queue: which jobs are in it, and what became of one that is not."""

import re
import shutil
import subprocess
import time

MIN_SECONDS_BETWEEN_QUERIES = 2.0
"""The shortest interval between two questions to the controller, which all users share."""
ENDS = {
    "CANCELLED": "it was cancelled",
    "OUT_OF_MEMORY": "it needed more memory than it had asked for (hydra.launcher.mem_gb)",
    "NODE_FAIL": "its node failed",
    "TIMEOUT": "it was killed at its time limit before it could save (hydra.launcher.signal_delay_s)",
    "PREEMPTED": "it was preempted",
    "BOOT_FAIL": "its node did not start",
    "DEADLINE": "it missed its deadline",
}
"""A job state of SLURM -> what it means."""


class SlurmQueue:
    """The jobs of this user in SLURM's queue, which is asked at most once in `MIN_SECONDS_BETWEEN_QUERIES` seconds."""

    def __init__(self) -> None:
        self.asked = float("-inf")
        self.known: frozenset[str] | None = None

    def jobs(self) -> frozenset[str] | None:
        """Return the ids of the jobs that wait or run, such as 7_2, or None if the controller does not answer."""
        if time.monotonic() - self.asked >= MIN_SECONDS_BETWEEN_QUERIES:
            output = ask("squeue", "--me", "-h", "-r", "-o", "%i")
            self.known = None if output is None else frozenset(output.split())
            self.asked = time.monotonic()
        return self.known


def state_of(identity: str) -> str:
    """Return SLURM's state of a job, such as RUNNING or CANCELLED; empty if SLURM no longer knows it."""
    match = re.search(r"\bJobState=(\w+)", ask("scontrol", "show", "job", "-o", identity) or "")
    return match[1] if match else ""


def describe_end(identity: str) -> str:
    """Return a sentence on a job that has left the queue without a result."""
    state = state_of(identity)
    return f"the job {identity} left no result: {ENDS.get(state, 'its process ended' + f' ({state})' * bool(state))}"


def largest_array() -> int:
    """Return the number of jobs that one array may hold."""
    match = re.search(r"^MaxArraySize\s*=\s*(\d+)", ask("scontrol", "show", "config") or "", re.MULTILINE)
    return max(1, int(match[1]) - 1) if match else 1000


def ask(*command: str) -> str | None:
    """Return the output of one of SLURM's commands, or None if it fails."""
    if shutil.which(command[0]) is None:
        return None
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return None
