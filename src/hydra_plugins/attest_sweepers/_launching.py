"""Launching of all runs of a sweep by Hydra's launcher, beside other processes, and collection of the failures."""

import logging
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from hydra.core.utils import JobReturn, JobStatus
from hydra.plugins.launcher import Launcher

from attest.config.compose import compose_unchecked
from attest.config.shell_command import shell_command
from attest.errors import AttestError, BusyError, LeaseLostError, SettingsError
from attest.runs.command_line import command_line
from attest.runs.launch_cleanup import delete_old_launches
from attest.runs.launches import Launch, create_launch
from attest.system.leases import is_held, lease_file
from attest.system.signals import interrupts_kept_from_new_processes
from hydra_plugins.attest_sweepers._failures import raise_failures
from hydra_plugins.attest_sweepers._stopping import raise_if_stopped, stop_together

WAIT_SECONDS = 2.0
log = logging.getLogger(__name__)


def launch_all(launcher: Launcher, jobs: Mapping[str, Sequence[str]], title: str) -> list[JobReturn]:
    """Launch every job (name -> overrides) and return the results; if jobs failed, raise one error that lists them."""
    done = launch_until_done(launcher, jobs, title)
    report_failures(done)
    return list(done.values())


def launch_until_done(launcher: Launcher, jobs: Mapping[str, Sequence[str]], title: str) -> dict[str, JobReturn]:
    """Launch jobs and return the result of each; a run that another process is training is launched again later.

    `title` names the table or the sweep that the jobs belong to.
    """
    done: dict[str, JobReturn] = {}
    waiting = list(jobs)
    launch = open_launch(launcher, jobs, title)
    while waiting:
        done |= launch_once(launcher, {name: jobs[name] for name in waiting}, launch)
        raise_if_stopped(done, launch)
        waiting = [name for name in waiting if is_busy(done[name])]
        for error in filter(None, map(failure, (done[name] for name in waiting))):
            if isinstance(error, LeaseLostError):
                log.warning("%s", error)
        if waiting:
            log.info("waiting for %d run(s) that other processes are training: %s", len(waiting), ", ".join(waiting))
            wait_for_other_processes(launch, waiting)
    return {name: done[name] for name in jobs}


def launch_once(launcher: Launcher, jobs: Mapping[str, Sequence[str]], launch: Launch | None) -> dict[str, JobReturn]:
    """Launch each job once and return its result, which is a BusyError if another process is training the run."""
    check_launcher(launcher)
    overrides = [[*job, *(launch.hydra_overrides(name) if launch else ())] for name, job in jobs.items()]
    with watching(launch, launcher) if launch else nullcontext():
        returns = launcher.launch(overrides, initial_job_idx=0)
    return dict(zip(jobs, returns, strict=True))


def open_launch(launcher: Launcher, jobs: Mapping[str, Sequence[str]], title: str) -> Launch | None:
    """Delete the oldest launches, write a launch of the jobs, and return it.

    Return None if the settings of the jobs name no folder of runs.
    """
    check_launcher(launcher)
    try:
        runs_folder = Path(compose_unchecked(next(iter(jobs.values()))).paths.runs)
    except (AttestError, StopIteration):  # the jobs report the mistake
        return None
    delete_old_launches(runs_folder)
    typed = command_line.get()
    return create_launch(runs_folder, title, launcher_name(launcher), jobs, shell_command(*typed) if typed else "")


def launcher_name(launcher: Launcher) -> str:
    """Return the name of a launcher: basic, joblib, slurm, or that of its class."""
    name = type(launcher).__name__.removesuffix("Launcher").lower()
    return getattr(launcher, "_EXECUTOR", name)


def runs_elsewhere(launcher: Launcher) -> bool:
    """Return whether a launcher may train runs on other machines, which share the folders of this one."""
    return launcher_name(launcher) in ("slurm", "ray")


@contextmanager
def watching(launch: Launch, launcher: Launcher) -> Iterator[None]:
    """Show the progress of the jobs during the block, unless they run in this process and show it themselves.

    Ctrl-C stops the jobs of processes on this machine; jobs on a cluster continue.
    """
    if (name := launcher_name(launcher)) == "basic":
        yield
        return
    from hydra_plugins.attest_sweepers._watching import watch_launch  # loads rich

    with ExitStack() as stack:
        stack.enter_context(watch_launch(launch, getattr(launcher, "queued_jobs", None)))
        if name != "slurm":
            stack.enter_context(interrupts_kept_from_new_processes())  # else it kills those that still load
            stack.enter_context(stop_together(launch))
        yield


def wait_for_other_processes(launch: Launch | None, names: Sequence[str]) -> None:
    """Wait until another process has released the lease of one of the runs, or for a moment if their ids are unknown.

    Jobs are submitted to a cluster again only then, instead of every moment.
    """
    time.sleep(WAIT_SECONDS)
    states = [launch.state(launch.names.index(name)) for name in names] if launch else []
    folders = [launch.runs_folder / state.run for state in states if launch and state and state.run]
    while folders and len(folders) == len(names) and all(is_held(lease_file(folder)) for folder in folders):
        time.sleep(WAIT_SECONDS)


def check_launcher(launcher: Launcher) -> None:
    """Raise SettingsError if the launcher submits jobs to SLURM and there is none here, or may start no process."""
    if (getattr(launcher, "joblib", None) or {}).get("n_jobs") == 0:
        raise SettingsError(
            "hydra.launcher.n_jobs=0: no run could start; type hydra.launcher.n_jobs=2, or -1 for one process per core"
        )
    if getattr(launcher, "_EXECUTOR", "") == "slurm" and shutil.which("srun") is None:
        raise SettingsError(
            "hydra/launcher: there is no SLURM here, since srun is not on PATH; start the command on a login node of "
            "the cluster, or take hydra/launcher=joblib"
        )


def is_busy(returned: JobReturn) -> bool:
    """Return whether a job failed because another process is training its run."""
    return isinstance(failure(returned), BusyError)


def report_failures(done: Mapping[str, JobReturn]) -> None:
    """Raise one error that lists the jobs that failed, each with its reason in one line."""
    failures = {name: error for name, returned in done.items() if (error := failure(returned)) is not None}
    raise_failures(failures, len(done))


def failure(returned: JobReturn) -> Exception | None:
    """Return the exception that a job failed with, or None.

    Hydra's own `return_value` would raise the exception and print its stack trace.
    """
    return returned._return_value if returned.status == JobStatus.FAILED else None
