"""Runs without a launch: those that processes make now, and the interrupted ones that were started alone."""

from pathlib import Path

from attest.errors import RecordError
from attest.runs.command_note import command_file, read_command
from attest.runs.job_views import JobView, time_of, with_step
from attest.system.locks import is_held, lease_file


def lone_runs(runs: Path) -> list[JobView]:
    """Return the runs below a folder that a process makes now, and the interrupted ones that were started alone.

    Those that run come first, then those that wrote last.
    """
    files = [path for of_folder in (lease_file, command_file) for path in runs.glob(str(of_folder(Path("*"))))]
    folders = {path.parent for path in files}
    views = [lone_run(folder, number) for number, folder in enumerate(sorted(folders))]
    return sorted(filter(None, views), key=lambda view: (view.status != "running", -view.written))


def check_ended(prefix: str, runs: Path) -> None:
    """Raise RecordError if an id beginning with `prefix` is that of a run below a folder that has not ended."""
    unfinished = [view.run for view in lone_runs(runs) if prefix and view.run.startswith(prefix)]
    if unfinished:
        raise RecordError(
            f"{unfinished[0]}: this run has not ended, so it has no record; `attest status` shows how far it is"
        )


def lone_run(folder: Path, number: int) -> JobView | None:
    """Return a run in its folder, or None if no process makes it and no note has the command that continues it."""
    running, note = is_held(lease_file(folder)), read_command(folder)
    if not running and note is None:
        return None
    view = JobView(
        number=number,
        name=f"run {folder.name}" if note is None else f"{note.name} run {folder.name}",
        status="running" if running else "stopped",
        run=folder.name,
        written=time_of(command_file(folder)),
        command="" if note is None else note.command,
    )
    return with_step(view, folder.parent)
