"""The state of a running job, written for the command that launched it and for `attest status`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from attest.errors import BusyError, StoppedError, one_line
from attest.runs.launches import LAUNCHES_FOLDER, JobState, Launch, Status, is_stopping, read_launch, write_state
from attest.system.parent import WORKING
from attest.system.signals import Stopped, stopped_by_command


class JobReport:
    """The state of this job in the folder of its launch; without a folder nothing is written."""

    def __init__(self, folder: Path | None, number: int = 0) -> None:
        self.folder, self.number, self.run = folder, number, ""
        self.status: Status | None = None

    def write(self, status: Status, run: str = "", **details: Any) -> None:
        """Write the state, with other fields of JobState; the id of the run is kept from one state to the next."""
        self.run, self.status = run or self.run, status
        if self.folder is not None:
            write_state(self.folder, self.number, JobState(status=status, run=self.run, **details))


@contextmanager
def reported_job(config: DictConfig) -> Iterator[JobReport]:
    """Write the state of the job that a configuration starts: at its beginning, and how the block ends."""
    sweeper = HydraConfig.get().sweeper
    launch, number = OmegaConf.select(sweeper, "launch"), OmegaConf.select(sweeper, "job")
    folder = Path(config.paths.runs) / LAUNCHES_FOLDER / launch if launch else None
    report = JobReport(folder, number or 0)
    command = read_launch(folder) if folder is not None else None
    beside = command is not None and is_beside_command(command)
    with WORKING, stopped_by_command() if beside else nullcontext():
        try:
            check_stop(folder)
            report.write("running")
            check_stop(folder)
            yield report
        except Stopped as stop:
            if report.status == "running":
                report.write("stopped")
            if beside:  # a launcher would kill its other processes for an exception that is no error
                raise StoppedError(str(stop)) from None
            raise
        except Exception as error:
            busy = isinstance(error, BusyError)
            report.write("busy" if busy else "failed", kind=type(error).__name__, error=one_line(error))
            raise


def is_beside_command(launch: Launch) -> bool:
    """Return whether this job runs in a process beside its command: not in that of the command, nor on a cluster."""
    return launch.holder.pid != os.getpid() and not launch.cluster_ids


def check_stop(folder: Path | None) -> None:
    """Raise Stopped if the command of this job was asked to stop."""
    if folder is not None and is_stopping(folder):
        raise Stopped("stopped before it began")
