"""Launches as text: how many jobs wait, run, are done or failed, and how far each has come."""

import time
from collections import Counter
from collections.abc import Sequence

from attest.errors import escape_unprintable
from attest.reproduction.pages.text_table import TextTable
from attest.reproduction.plurals import pluralize
from attest.runs.job_views import STATUSES, JobView, seconds_left
from attest.runs.launches import Launch
from attest.runs.progress import format_duration


def count_line(views: Sequence[JobView]) -> str:
    """Return a line such as "6 runs: 2 running, 3 waiting, 1 done; about 12:30 left"."""
    counts = Counter(view.status for view in views)
    parts = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
    left = seconds_left(views)
    return f"{pluralize(len(views), 'run')}: {parts}" + (
        "" if left is None else f"; about {format_duration(left)} left"
    )


def progress_of(view: JobView) -> str:
    """Return how far a job has come: its step and the time left, its figures, or why it failed and its log."""
    if view.status == "done":
        return f"{view.figures}  run {view.run_id}"
    if view.status == "failed":
        return "  ".join(filter(None, [view.error, view.log and f"log {view.log}"]))
    step = f"step {view.step:,}/{view.steps:,}" if view.steps else ""
    if view.status == "running":
        rest = f"{format_duration(view.seconds_left)} left" if view.seconds_left is not None else ""
    elif view.resumes:
        rest = "goes on from its checkpoint"
    else:
        rest = "starts from the beginning, since it has no checkpoint" if step else ""
    return "  ".join(filter(None, [step, rest]))


def ending_line(view: JobView, title: str) -> str:
    """Return the line that is printed when a job ends: its figures, or the failure by table, row, seed, run and log."""
    if view.status == "done":
        return escape_unprintable(f"{view.name}: {progress_of(view)}")
    where = [f"run {view.run_id}"] * bool(view.run_id) + [f"log {view.log}"] * bool(view.log)
    return escape_unprintable(f"{title} {view.name} failed: {view.error}" + (f" ({', '.join(where)})" if where else ""))


def job_table(views: Sequence[JobView]) -> TextTable:
    """Return the jobs as a table with their names, states and progress."""
    return TextTable(("job", "state", "progress"), [(view.name, view.status, progress_of(view)) for view in views], 3)


def lone_run_table(views: Sequence[JobView]) -> TextTable:
    """Return runs without a launch as a table, with the time at which each last wrote how far it is."""
    rows = [(view.name, view.status, progress_of(view), format_time(view.written)) for view in views]
    return TextTable(("job", "state", "progress", "last wrote (UTC)"), rows, 4)


def continuation_lines(views: Sequence[JobView]) -> list[str]:
    """Return the command that continues each stopped run without a launch, below a line that says so."""
    commands = [f"  {view.run_id}  {view.command}" for view in views if view.status == "stopped" and view.command]
    return ["To continue a stopped run, type its command:", *commands] if commands else []


def format_time(seconds: float) -> str:
    """Return a time in seconds since 1970 as 2026-01-31 12:00 in UTC, or an empty text for 0."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds)) if seconds else ""


def heading(launch: Launch, views: Sequence[JobView]) -> str:
    """Return the title of a launch, how it was launched and when, and the numbers of its jobs."""
    ids = sorted({identity.partition("_")[0] for identity in launch.cluster_ids.values()}, key=int)
    engine = f"{launch.engine} {' '.join(ids)}".strip()
    return f"{launch.title} ({engine}, {launch.started}): {count_line(views)}"
