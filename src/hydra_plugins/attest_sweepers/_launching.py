"""Launch all runs of a sweep with Hydra's launcher, beside other processes, and collect the failures."""

import logging
import shutil
import time
from collections.abc import Mapping, Sequence

from hydra.core.utils import JobReturn, JobStatus
from hydra.plugins.launcher import Launcher

from attest.errors import AttestError, BusyError, LeaseLostError, SettingsError

WAIT_SECONDS = 2.0
log = logging.getLogger(__name__)


def launch_all(launcher: Launcher, jobs: Mapping[str, Sequence[str]]) -> list[JobReturn]:
    """Launch every job (name -> overrides) and return the results; if jobs failed, raise one error that lists them."""
    done = launch_until_done(launcher, jobs)
    report_failures(done)
    return list(done.values())


def launch_until_done(launcher: Launcher, jobs: Mapping[str, Sequence[str]]) -> dict[str, JobReturn]:
    """Launch jobs and return the result of each; a run that another process is making is launched again later."""
    done: dict[str, JobReturn] = {}
    waiting = list(jobs)
    while waiting:
        done |= launch_once(launcher, {name: jobs[name] for name in waiting})
        waiting = [name for name in waiting if is_busy(done[name])]
        for error in filter(None, map(failure, (done[name] for name in waiting))):
            if isinstance(error, LeaseLostError):
                log.warning("%s", error)
        if waiting:
            log.info("waiting for %d run(s) that another process is making: %s", len(waiting), ", ".join(waiting))
            time.sleep(WAIT_SECONDS)
    return {name: done[name] for name in jobs}


def launch_once(launcher: Launcher, jobs: Mapping[str, Sequence[str]]) -> dict[str, JobReturn]:
    """Launch each job once and return its result, which is a BusyError if another process is making the run."""
    check_launcher(launcher)
    returns = launcher.launch([list(job) for job in jobs.values()], initial_job_idx=0)
    return dict(zip(jobs, returns, strict=True))


def check_launcher(launcher: Launcher) -> None:
    """Raise SettingsError if the launcher hands jobs to SLURM and this machine belongs to no cluster."""
    if getattr(launcher, "_EXECUTOR", "") == "slurm" and shutil.which("srun") is None:
        raise SettingsError(
            "hydra/launcher=submitit_slurm: there is no SLURM here, since srun is not on PATH; start the command on a "
            "login node of the cluster, or take hydra/launcher=joblib"
        )


def is_busy(returned: JobReturn) -> bool:
    """Return whether a job failed because another process is making its run."""
    return isinstance(failure(returned), BusyError)


def report_failures(done: Mapping[str, JobReturn]) -> None:
    """Raise one error that lists the jobs that failed, each with its reason in one line."""
    failures = {name: error for name, returned in done.items() if (error := failure(returned)) is not None}
    first = next(iter(failures.values()), None)
    if isinstance(first, SettingsError) and [str(error) for error in failures.values()] == [str(first)] * len(done):
        raise first  # a mistake in the settings that all jobs share
    if failures:
        width = max(len(name) for name in failures)
        lines = [f"  {name:<{width}}  {one_line(error)}" for name, error in failures.items()]
        raise AttestError(f"{len(failures)} of {len(done)} runs failed:\n" + "\n".join(lines))


def failure(returned: JobReturn) -> Exception | None:
    """Return the exception that a job failed with, or None.

    Hydra's own `return_value` would raise the exception and print its stack trace.
    """
    return returned._return_value if returned.status == JobStatus.FAILED else None


def one_line(error: Exception) -> str:
    """Return the text of an error in one line, with its type if it is none of ours."""
    text = " ".join(str(error).split())
    return text if isinstance(error, AttestError) else f"{type(error).__name__}: {text}"
