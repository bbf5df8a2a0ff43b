"""All runs of a sweep through Hydra's launcher: shared with other processes, failures collected."""

import logging
import time
from collections.abc import Mapping, Sequence

from hydra.core.utils import JobReturn, JobStatus
from hydra.plugins.launcher import Launcher

from attest.errors import AttestError, BusyError, SettingsError

WAIT_SECONDS = 2.0
log = logging.getLogger(__name__)


def launch_all(launcher: Launcher, jobs: Mapping[str, Sequence[str]]) -> list[JobReturn]:
    """Launch the jobs (name -> overrides). Every job is tried. If some failed, one error lists them all."""
    done = launched(launcher, jobs)
    report_failures(done)
    return list(done.values())


def launched(launcher: Launcher, jobs: Mapping[str, Sequence[str]]) -> dict[str, JobReturn]:
    """What came of each job; runs that another process is making are asked for again later."""
    done: dict[str, JobReturn] = {}
    waiting = list(jobs)
    while waiting:
        done |= tried(launcher, {name: jobs[name] for name in waiting})
        waiting = [name for name in waiting if busy(done[name])]
        if waiting:
            log.info("waiting for %d run(s) that another process is making: %s", len(waiting), ", ".join(waiting))
            time.sleep(WAIT_SECONDS)
    return {name: done[name] for name in jobs}


def tried(launcher: Launcher, jobs: Mapping[str, Sequence[str]]) -> dict[str, JobReturn]:
    """What came of each job at once; some runs may be in the hands of another process."""
    returns = launcher.launch([list(job) for job in jobs.values()], initial_job_idx=0)
    return dict(zip(jobs, returns, strict=True))


def busy(returned: JobReturn) -> bool:
    return isinstance(cause(returned), BusyError)


def report_failures(done: Mapping[str, JobReturn]) -> None:
    failures = {name: error for name, returned in done.items() if (error := cause(returned)) is not None}
    first = next(iter(failures.values()), None)
    if isinstance(first, SettingsError) and [str(error) for error in failures.values()] == [str(first)] * len(done):
        raise first  # nothing was tried, and every job says the same
    if failures:
        width = max(len(name) for name in failures)
        lines = [f"  {name:<{width}}  {in_one_line(error)}" for name, error in failures.items()]
        raise AttestError(f"{len(failures)} of {len(done)} runs failed:\n" + "\n".join(lines))


def cause(returned: JobReturn) -> Exception | None:
    """What a job failed of. (Asking Hydra for the return value of a failed job would raise it, and print more.)"""
    return returned._return_value if returned.status == JobStatus.FAILED else None


def in_one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, AttestError) else f"{type(error).__name__}: {text}"
