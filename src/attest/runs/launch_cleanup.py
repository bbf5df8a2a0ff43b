"""Deletion of old launches, of which only the latest are kept."""

import shutil
import time
from pathlib import Path

from attest.runs.job_views import has_final_state
from attest.runs.launches import LAUNCHES_FOLDER, Launch, launch_folders, read_launch, running_states
from attest.system.files import remove_partials

MAX_LAUNCHES = 50
"""The largest number of launches that are kept; the oldest ones are deleted."""
UNKNOWN_DAYS = 30
"""The number of days for which a launch is kept if this machine cannot tell whether it still runs."""


def delete_old_launches(runs_folder: Path) -> None:
    """Delete the oldest launches below a folder of runs until, with the next launch, MAX_LAUNCHES remain.

    Launches that may still run stay. The partial files and folders of commands that were killed while they wrote a
    launch are deleted too; those of commands that start at this moment stay.
    """
    folders = launch_folders(runs_folder)
    for old in folders[: -MAX_LAUNCHES + 1]:
        if not may_run(old):
            shutil.rmtree(old, ignore_errors=True)
    for folder in (runs_folder / LAUNCHES_FOLDER, *folders[-MAX_LAUNCHES + 1 :]):
        remove_partials(folder)


def may_run(folder: Path) -> bool:
    """Return whether the command of the launch in a folder, or one of its jobs, may still run.

    What cannot be known, such as processes of another machine and jobs in the queue of a cluster, counts as running for
    UNKNOWN_DAYS.
    """
    launch = read_launch(folder)
    if launch is None:
        return (folder / "launch.json").is_file() and is_recent(folder)
    alive = [holder.exists() for holder in (launch.holder, *(state.holder for state in running_states(launch)))]
    return True in alive or ((None in alive or may_wait_in_queue(launch)) and is_recent(folder))


def may_wait_in_queue(launch: Launch) -> bool:
    """Return whether a job that was submitted to a cluster has not ended: it may wait, also after its time limit."""
    return any(not has_final_state(launch.state(int(number))) for number in launch.cluster_ids)


def is_recent(folder: Path) -> bool:
    """Return whether something in a folder has changed in the last UNKNOWN_DAYS."""
    try:
        changed = max(path.lstat().st_mtime for path in (folder, *folder.iterdir()))  # a link may lead to no file yet
    except OSError:
        return True
    return time.time() - changed < UNKNOWN_DAYS * 86400
