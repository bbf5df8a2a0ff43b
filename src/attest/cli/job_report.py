"""The state of a running job, written for the command that launched it and for `attest status`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from attest.errors import AttestError, BusyError
from attest.runs.launches import FOLDER, JobState, write_state
from attest.system.signals import Stopped


class JobReport:
    """The state of this job in the folder of its launch; without a folder nothing is written."""

    def __init__(self, folder: Path | None, number: int = 0) -> None:
        self.folder, self.number, self.run = folder, number, ""

    def write(self, status: str, run: str = "", **fields: str) -> None:
        """Write the state; the id of the run is kept from one state to the next."""
        self.run = run or self.run
        if self.folder is not None:
            write_state(self.folder, self.number, JobState(status=status, run=self.run, **fields))  # type: ignore[arg-type]


@contextmanager
def reported_job(config: DictConfig) -> Iterator[JobReport]:
    """Write the state of the job that a configuration starts: at its beginning, and how the block ends."""
    sweeper = HydraConfig.get().sweeper
    launch, number = OmegaConf.select(sweeper, "launch"), OmegaConf.select(sweeper, "job")
    report = JobReport(Path(config.paths.runs) / FOLDER / launch if launch else None, number or 0)
    report.write("running")
    try:
        yield report
    except Stopped:
        report.write("stopped")
        raise
    except Exception as error:
        busy = isinstance(error, BusyError)
        report.write("busy" if busy else "failed", kind=type(error).__name__, error=one_line(error))
        raise


def one_line(error: Exception) -> str:
    """Return the text of an error in one line, with its type if it is none of ours."""
    text = " ".join(str(error).split())
    return text if isinstance(error, AttestError) else f"{type(error).__name__}: {text}"
