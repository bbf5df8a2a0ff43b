"""Runs without a launch: those that processes train now, and the interrupted ones that no launch started."""

from pathlib import Path

from attest.errors import RecordError
from attest.runs.job_views import JobView, time_of, with_step
from attest.runs.notes.command import read_command
from attest.runs.run_folder import command_file
from attest.system.leases import is_held, lease_file


def unlaunched_runs(runs_folder: Path) -> list[JobView]:
    """Return the runs below a folder that a process trains now, and the interrupted ones that no launch started.

    Running ones come first, then those that wrote last.
    """
    files = [path for of_folder in (lease_file, command_file) for path in runs_folder.glob(str(of_folder(Path("*"))))]
    folders = {path.parent for path in files}
    views = [unlaunched_run(folder, number) for number, folder in enumerate(sorted(folders))]
    return sorted(filter(None, views), key=lambda view: (view.status != "running", -view.written))


def check_ended(prefix: str, runs_folder: Path) -> None:
    """Raise RecordError if an id beginning with `prefix` is that of a run below a folder that has not ended."""
    unfinished = [view.run_id for view in unlaunched_runs(runs_folder) if prefix and view.run_id.startswith(prefix)]
    if unfinished:
        raise RecordError(
            f"{unfinished[0]}: this run has not ended, so it has no record; `attest status` shows how far it is"
        )


def unlaunched_run(folder: Path, number: int) -> JobView | None:
    """Return a run in its folder, or None if no process trains it and no note has the command that continues it."""
    running, note = is_held(lease_file(folder)), read_command(folder)
    if not running and note is None:
        return None
    view = JobView(
        number=number,
        name=f"run {folder.name}" if note is None else f"{note.name} run {folder.name}",
        status="running" if running else "stopped",
        run_id=folder.name,
        written=time_of(command_file(folder)),
        command="" if note is None else note.command,
    )
    return with_step(view, folder.parent)
