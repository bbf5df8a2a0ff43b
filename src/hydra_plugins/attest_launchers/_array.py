"""Submission of a sweep to SLURM: submit one job array, wait for it, and collect the states that its jobs wrote."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import submitit
from hydra.core.singleton import Singleton
from hydra.core.utils import JobReturn, JobStatus
from hydra_plugins.hydra_submitit_launcher.config import BaseQueueConf
from omegaconf import OmegaConf
from submitit.core.utils import FailedJobError

from attest import errors
from attest.config.compose import compose_unchecked
from attest.config.overrides import key_of, values_by_key
from attest.errors import AttestError, MachineError
from attest.runs.finished_run import FinishedRun
from attest.runs.job_views import has_final_state
from attest.runs.launches import (
    LAUNCHES_FOLDER,
    JobState,
    Launch,
    all_launches,
    read_launch,
    with_cluster_ids,
    write_state,
)
from attest.system.signals import Stopped
from attest.system.slurm import SlurmQueue, describe_end, largest_array
from hydra_plugins.attest_launchers._unsupported import UNSUPPORTED

POLL_SECONDS = 1.0
GONE_SECONDS = 10.0
"""The time that a shared disk has to show the state of a job that has left the queue."""
REQUEUES = 10_000
"""A number of time limits that no run reaches: a job stops a run that makes no step."""
QueuedJob = tuple[str, Launch, int]
"""The id of a job in the queue, the launch that submitted it, and its number there."""


def launch_array(launcher: Any, job_overrides: Sequence[Sequence[str]]) -> list[JobReturn]:
    """Submit jobs as one array, wait until all have ended, and return their results.

    A job that an earlier command has submitted, and that has not ended, is not submitted again. Ctrl-C leaves the jobs
    in the queue and raises Stopped.
    """
    launch, numbers = launch_of(job_overrides)
    queue = SlurmQueue()
    queued = queued_jobs_of_earlier_launches(launch, numbers, queue.jobs() or ())
    adopted = {number: job_id for number, (job_id, _, _) in queued.items()}
    link_files(launch, queued)
    overrides = dict(zip(numbers, job_overrides, strict=True))
    try:
        launch = with_cluster_ids(launch, adopted)
        launch = submit(launcher, launch, {n: job for n, job in overrides.items() if n not in adopted})
        states = wait(launch, numbers, queue)
    except KeyboardInterrupt:
        raise Stopped(detached_message(launch, numbers)) from None
    return [job_return(launcher, overrides[number], states[number]) for number in numbers]


def launch_of(job_overrides: Sequence[Sequence[str]]) -> tuple[Launch, list[int]]:
    """Return the launch that the overrides of jobs name, and the number of each job in it."""
    first = [text for text in job_overrides[0] if not key_of(text).startswith("hydra.sweeper.")]
    launches = Path(compose_unchecked(first).paths.runs) / LAUNCHES_FOLDER
    values = [values_by_key(job) for job in job_overrides]
    if (launch := read_launch(launches / values[0].get("hydra.sweeper.launch", ""))) is None:
        raise AttestError(f"{launches}: the file of this launch is missing; start the command again")
    return launch, [int(job["hydra.sweeper.job"]) for job in values]


def queued_jobs_of_earlier_launches(
    launch: Launch, numbers: Sequence[int], queued: Sequence[str] | frozenset[str]
) -> dict[int, QueuedJob]:
    """Return the jobs of a launch, by number, that an earlier launch has in the queue."""
    earlier = {
        job: (other.cluster_ids[str(index)], other, index)
        for other in all_launches(launch.runs_folder)
        if other.id != launch.id
        for index, job in enumerate(map(tuple, other.overrides))
        if other.cluster_ids.get(str(index)) in queued
    }
    jobs = {number: tuple(launch.overrides[number]) for number in numbers}
    return {number: earlier[job] for number, job in jobs.items() if job in earlier}


def link_files(launch: Launch, queued: Mapping[int, QueuedJob]) -> None:
    """Link the states and logs of a launch's jobs to the files that jobs of earlier launches write."""
    for number, (job_id, other, index) in queued.items():
        link(launch.folder / f"{number}.json", other.folder / f"{index}.json")
        log = f"jobs/{job_id}_0_log.out"
        link(launch.folder / log, other.folder / log)


def link(path: Path, target: Path) -> None:
    """Make `path` a link to a file, which need not exist yet."""
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def submit(launcher: Any, launch: Launch, jobs: Mapping[int, Sequence[str]]) -> Launch:
    """Submit jobs, given by number, as one array, or as several if one may not hold so many; return the launch."""
    for number in jobs:  # a job that was busy has a state already
        for ending in ("json", "starts"):
            (launch.folder / f"{number}.{ending}").unlink(missing_ok=True)
    numbers, size = list(jobs), largest_array()
    for begin in range(0, len(numbers), size):
        part = numbers[begin : begin + size]
        arguments = [(list(jobs[n]), "hydra.sweep.dir", n, str(n), Singleton.get_state()) for n in part]
        try:
            submitted = executor(launcher, launch).map_array(launcher, *zip(*arguments, strict=True))
        except FailedJobError as error:
            reason = " ".join(str(error).split())
            raise MachineError(
                f"hydra/launcher=slurm: SLURM refused the jobs ({reason}); correct hydra.launcher.*, or run on a login "
                "node"
            ) from error
        launch = with_cluster_ids(launch, dict(zip(part, (job.job_id for job in submitted), strict=True)))
    return launch


def executor(launcher: Any, launch: Launch) -> submitit.AutoExecutor:
    """Return submitit's executor with the settings of the launcher, whose files are in the folder of the launch."""
    chosen = submitit.AutoExecutor(folder=launch.folder / "jobs", cluster="slurm", slurm_max_num_timeout=REQUEUES)
    common = set(OmegaConf.structured(BaseQueueConf).keys())
    settings = {k: v for k, v in launcher.params.items() if k not in UNSUPPORTED}
    try:
        chosen.update_parameters(
            slurm_srun_args=["--open-mode=append"],
            **{key if key in common else f"slurm_{key}": value for key, value in settings.items()},
        )
    except (ValueError, NameError, TypeError) as error:
        raise errors.SettingsError(f"hydra.launcher: {' '.join(str(error).split())}") from error
    return chosen


def wait(launch: Launch, numbers: Sequence[int], queue: SlurmQueue) -> dict[int, JobState]:
    """Wait until all jobs have ended, and return their states by number.

    A job that has left the queue without a result gets the state failed, which is written if the disk takes it.
    """
    ended: dict[int, JobState] = {}
    gone: dict[int, float] = {}
    while True:
        for number in numbers:
            if (state := launch.state(number)) is not None and has_final_state(state):
                ended[number] = state
        if not (left := [number for number in numbers if number not in ended]):
            return ended
        queued = queue.jobs()
        for number in left if queued is not None else ():
            job_id = launch.cluster_ids[str(number)]
            since = gone.setdefault(number, time.monotonic())
            if job_id in (queued or ()):
                del gone[number]
            elif time.monotonic() - since > GONE_SECONDS:
                ended[number] = lost_state(launch, number, job_id)
                write_state(launch.folder, number, ended[number])
        time.sleep(POLL_SECONDS)


def lost_state(launch: Launch, number: int, job_id: str) -> JobState:
    """Return the state of a job that has left the queue without writing it."""
    state = launch.state(number)
    error = f"{describe_end(job_id)}{last_line_of(launch.log(number))}"
    return JobState(status="failed", run=state.run if state else "", kind=MachineError.__name__, error=error)


def last_line_of(log: Path | None) -> str:
    """Return a clause with the last line of a job's output, or an empty string if there is none."""
    try:
        lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()] if log else []
    except OSError:
        return ""
    return f"; its last line: {lines[-1][:200]}" if lines else ""


def detached_message(launch: Launch, numbers: Sequence[int]) -> str:
    """Return the sentence at the end of a command that leaves its jobs in the queue."""
    known = [launch.cluster_ids.get(str(n)) for n in numbers if not has_final_state(launch.state(n))]
    open_jobs = [job_id for job_id in known if job_id]
    if not open_jobs:
        return "stopped before SLURM confirmed the jobs; `squeue --me` shows whether it has them"
    ids = " ".join(sorted({job_id.partition("_")[0] for job_id in open_jobs}, key=int))
    return f"detached: {len(open_jobs)} jobs continue. `attest status` shows them, `scancel {ids}` cancels them"


def job_return(launcher: Any, overrides: Sequence[str], state: JobState) -> JobReturn:
    """Return the state of a job as Hydra's launchers return what a job returned."""
    returned = JobReturn()
    returned.overrides = list(overrides)
    returned.cfg = launcher.hydra_context.config_loader.load_sweep_config(launcher.config, list(overrides))
    returned.status = JobStatus.COMPLETED if state.status == "done" else JobStatus.FAILED
    returned._return_value = FinishedRun(state.dev, state.run) if state.status == "done" else exception_of(state)
    return returned


def exception_of(state: JobState) -> Exception:
    """Return the error of a failed job as an instance of its original class, by which callers know a BusyError."""
    kind = getattr(errors, state.kind, None)
    return kind(state.error) if kind is not None and issubclass(kind, AttestError) else AttestError(state.error)
