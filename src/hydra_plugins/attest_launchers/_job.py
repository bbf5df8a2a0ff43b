"""A job in SLURM: it trains its run, and is requeued if SLURM ends it before the run is done."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import submitit
from hydra.core.utils import JobReturn

from attest.config.overrides import values_by_key
from attest.errors import MachineError
from attest.runs.launches import JobState, read_launch, write_state
from attest.runs.notes.step import StepNote
from attest.runs.run_folder import step_file
from attest.system.signals import Stopped
from attest.system.slurm import state_of

ENDING = ("CANCELLED", "COMPLETING")
"""The states of a job that ends by a decision of its user or of SLURM, and not because it was asked to save."""
MAX_IDLE_STARTS = 3
"""The largest number of jobs in a row that may end without a step of their run."""
log = logging.getLogger(__name__)


def run_job(run: Callable[..., JobReturn], overrides: Sequence[str], *arguments: Any) -> JobReturn:
    """Train the run of a job, and return what the function `run` returns.

    SLURM's warning before the time limit (SIGUSR2) and its request to go (SIGTERM) let training save and stop; the job
    is then requeued. A job that the user has cancelled is not.
    """
    check_progress(overrides)
    try:
        return run(overrides, *arguments)
    except Stopped as stop:
        environment = submitit.JobEnvironment()
        if state_of(environment.job_id) in ENDING:
            log.warning("%s; the job was cancelled", stop)
        else:
            log.warning("%s; the job is requeued", stop)
            requeue(environment.job_id)
        sys.exit(1)


def requeue(job_id: str) -> None:
    """Put a job back into the queue; raise MachineError if SLURM refuses that."""
    try:
        subprocess.run(["scontrol", "requeue", job_id], check=True, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        reason = " ".join(str(getattr(error, "stderr", "") or error).split())
        raise MachineError(
            f"job {job_id}: its run is saved, but SLURM could not requeue it ({reason}); repeat the command to continue"
        ) from error


def check_progress(overrides: Sequence[str]) -> None:
    """Raise MachineError, and write it as the state of the job, if its last starts led to no step of its run."""
    values = values_by_key(overrides)
    folder, number = Path(os.environ["SUBMITIT_FOLDER"]).parent, int(values["hydra.sweeper.job"])
    launch = read_launch(folder)
    state = None if launch is None else launch.state(number)
    run = state.run if state else ""
    step = StepNote(step_file(folder.parent.parent / run)).last_step() if run else 0
    path = folder / f"{number}.starts"
    starts = [*(path.read_text(encoding="ascii").split() if path.is_file() else ()), str(step)]
    path.write_text("\n".join(starts), encoding="ascii")
    latest = starts[-MAX_IDLE_STARTS - 1 :]
    if len(latest) > MAX_IDLE_STARTS and len(set(latest)) == 1:
        error = (
            f"{MAX_IDLE_STARTS} jobs in a row ended at step {step:,} of the run; give each more time with "
            "hydra.launcher.timeout_min=..."
        )
        write_state(folder, number, JobState(status="failed", run=run, kind=MachineError.__name__, error=error))
        raise MachineError(error)
