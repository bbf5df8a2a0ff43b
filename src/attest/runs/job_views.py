"""The progress of the jobs of a launch: from what they wrote, the leases of their runs, and their last steps."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from attest.runs.launches import JobState, Launch
from attest.runs.notes.step import StepNote
from attest.runs.run_folder import checkpoint_file, step_file
from attest.system.leases import is_held, lease_file

STATUSES = ("running", "waiting", "stopped", "done", "failed")


@dataclass(frozen=True, kw_only=True)
class JobView:
    """The progress of a job, as `attest status` shows it."""

    number: int
    name: str
    status: Literal["waiting", "running", "stopped", "done", "failed"]
    """waiting: not started, requeued, or another process trains its run; running; stopped: started, but no process
    works on it; done; failed."""
    run_id: str = ""
    """The id of its run; empty until the data are read."""
    step: int = 0
    """The last step."""
    steps: int = 0
    """The number of steps of the whole run; 0 if unknown."""
    seconds: float = 0.0
    """The seconds that the present process has trained."""
    seconds_left: float | None = None
    """An estimate of the seconds that are left, or None if nothing is known."""
    figures: str = ""
    """The main metric on each split, as text."""
    error: str = ""
    """The error of a failed job."""
    log: str = ""
    """The path of its output on a cluster; empty elsewhere."""
    resumes: bool = False
    """True if the run has a checkpoint from which it continues."""
    written: float = 0.0
    """The time at which the run last wrote its progress, in seconds since 1970; 0 if that is unknown."""
    command: str = ""
    """The command that continues a run without a launch; empty if it is not known."""

    @property
    def ended(self) -> bool:
        """True if the job is done or has failed."""
        return self.status in ("done", "failed")


def job_views(launch: Launch, queued: Collection[str] | None = None) -> list[JobView]:
    """Return the jobs of a launch.

    `queued` are the ids of the jobs in the queue of the cluster, or None if that is not known here.
    """
    return [job_view(launch, number, queued) for number in range(len(launch.names))]


def job_view(launch: Launch, number: int, queued: Collection[str] | None = None) -> JobView:
    """Return a job of a launch; see `job_views`."""
    state, log = launch.state(number), launch.log(number)
    shown = JobView(number=number, name=launch.names[number], status="waiting", log="" if log is None else str(log))
    if state is None:
        return shown
    job_id = launch.cluster_ids.get(str(number))
    waits = queued is not None and job_id in queued
    shown = replace(shown, run_id=state.run, figures=state.figures, error=state.error)
    if state.status in ("done", "failed"):
        return replace(shown, status=state.status)
    if state.status == "busy":
        return replace(shown, status="waiting", error="")
    if state.status == "stopped" or not is_at_work(launch, state):
        return replace(with_step(shown, launch.runs_folder), status="waiting" if waits else "stopped")
    return replace(with_step(shown, launch.runs_folder), status="running")


def is_at_work(launch: Launch, state: JobState) -> bool:
    """Return whether a process works on a job that has started, as far as this machine can know.

    Until the data are read, a job has no run whose lease shows it.
    """
    if state.run:
        return is_held(lease_file(launch.runs_folder / state.run))
    return state.holder.exists() is not False


def with_step(view: JobView, runs_folder: Path) -> JobView:
    """Return a view with the last step that is known of its run, and with whether the run has a checkpoint."""
    if not view.run_id:
        return view
    checkpoint = checkpoint_file(runs_folder / view.run_id)
    if (step := StepNote(step_file(runs_folder / view.run_id)).read()) is None:
        return replace(view, resumes=True, written=time_of(checkpoint)) if checkpoint.is_file() else view
    done = step.step - step.first
    left = step.seconds / done * (step.steps - step.step) if done > 0 else None
    return replace(
        view,
        step=step.step,
        steps=step.steps,
        seconds=step.seconds,
        seconds_left=left,
        resumes=checkpoint.is_file(),
        written=time_of(step_file(runs_folder / view.run_id)),
    )


def time_of(path: Path) -> float:
    """Return the time at which a file was last written, in seconds since 1970, or 0 if there is none."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def seconds_left(views: Sequence[JobView]) -> float | None:
    """Return an estimate of the seconds until all jobs have ended, or None if nothing is known yet.

    Jobs that wait are taken to last as long as those that run, as many at a time.
    """
    known = [
        (view.seconds, view.seconds_left)
        for view in views
        if view.status == "running" and view.seconds_left is not None
    ]
    if not known:
        return None
    left = [rest for _, rest in known]
    whole = sum(spent + rest for spent, rest in known) / len(known)
    waiting = sum(view.status == "waiting" for view in views)
    return max(max(left), (sum(left) + waiting * whole) / len(known))


def has_final_state(state: JobState | None) -> bool:
    """Return whether a job has written its last state of a launch: done, failed, or busy if another process trains
    its run."""
    return state is not None and state.status in ("done", "failed", "busy")
