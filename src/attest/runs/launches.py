"""Launches: the jobs that one command passes to a launcher, and the progress of each, in files of a shared folder.

The command writes what it has launched; each job writes its own state. Both can therefore be read from any terminal, on
any machine that shares the folder, also after the command has ended.
"""

import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from attest.config.flat import to_plain
from attest.config.schema import from_plain
from attest.errors import SettingsError, StorageError
from attest.runs.records import utc_now
from attest.system.files import atomic_folder, write_json
from attest.system.holders import UNREADABLE, Holder

LAUNCHES_FOLDER = "launches"
"""The name of the folder of launches, below that of runs."""
STOP_FILE = "stop"
"""The name of the file in the folder of a launch whose command was asked to stop."""

Status = Literal["running", "done", "failed", "busy", "stopped"]


@dataclass(frozen=True, kw_only=True)
class JobState:
    """The state of a job, as it writes it."""

    status: Status
    """running; done; failed; busy: another process trains the run; stopped: its state is saved, and it can continue."""
    run: str = ""
    """The id of the run; empty until the data are read."""
    figures: str = ""
    """The main figures of the finished run, for people to read."""
    dev: float | None = None
    """The main figure of the finished run on dev; None before it has finished."""
    kind: str = ""
    """The class of the error that the job failed with."""
    error: str = ""
    holder: Holder = UNREADABLE
    """The process that works on the job, or the last one that did."""


@dataclass(frozen=True, kw_only=True)
class Launch:
    """The jobs of one command, by number."""

    folder: Path
    title: str
    """The table, search or sweep that the jobs belong to."""
    engine: str
    """The name of the launcher, such as basic, joblib or slurm."""
    names: Sequence[str]
    """The names of the jobs, such as "disan seed=1"."""
    overrides: Sequence[Sequence[str]]
    started: str
    holder: Holder
    """The process of the command."""
    command: str
    """The command, quoted for a shell, which also continues the launch; empty if it is not known."""
    cluster_ids: Mapping[str, str] = field(default_factory=dict)
    """The number of a job -> its id in the queue of a cluster, if there is one."""

    @property
    def id(self) -> str:
        """The name of the folder."""
        return self.folder.name

    @property
    def runs_folder(self) -> Path:
        """The folder of runs."""
        return self.folder.parent.parent

    @property
    def command_is_alive(self) -> bool:
        """True if the command that launched the jobs still runs, as far as that can be known from here."""
        return bool(self.holder.exists())

    def hydra_overrides(self, name: str) -> list[str]:
        """Return the overrides that tell a job which one it is."""
        return [f"hydra.sweeper.launch='{self.id}'", f"hydra.sweeper.job={self.names.index(name)}"]

    def log(self, number: int) -> Path | None:
        """Return the file that holds the output of a job on a cluster, or None for jobs that write to the terminal."""
        job_id = self.cluster_ids.get(str(number))
        return None if job_id is None else self.folder / "jobs" / f"{job_id}_0_log.out"

    def state(self, number: int) -> JobState | None:
        """Return the state of a job, or None if it has not started or is about to write its state."""
        try:
            return from_plain(JobState, json.loads((self.folder / f"{number}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, SettingsError):
            return None


def create_launch(
    runs_folder: Path, title: str, launcher: str, jobs: Mapping[str, Sequence[str]], command: str = ""
) -> Launch:
    """Write a new launch of jobs, which are given by name with their overrides, and return it.

    Its folder appears when it is complete, so that no other command takes it for the rest of a launch that was killed.
    """
    folder = runs_folder / LAUNCHES_FOLDER / f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(3)}"
    launch = Launch(
        folder=folder,
        title=title,
        engine=launcher,
        names=tuple(jobs),
        overrides=tuple(tuple(job) for job in jobs.values()),
        started=utc_now(),
        holder=Holder.here(),
        command=command,
    )
    with atomic_folder(folder) as temporary:
        write_launch(replace(launch, folder=temporary))
    return launch


def write_launch(launch: Launch) -> None:
    """Write the file of a launch, in place of the earlier one."""
    plain = {name: to_plain(value) for name, value in vars(launch).items() if name != "folder"}
    write_json(launch.folder / "launch.json", plain)


def with_cluster_ids(launch: Launch, job_ids: Mapping[int, str]) -> Launch:
    """Write and return the launch with the ids that the queue of a cluster has given to some of its jobs."""
    known = {**launch.cluster_ids, **{str(number): job_id for number, job_id in job_ids.items()}}
    changed = replace(launch, cluster_ids=known)
    write_launch(changed)
    return changed


def read_launch(folder: Path) -> Launch | None:
    """Return the launch in a folder, or None if there is none or its file is damaged."""
    try:
        data = json.loads((folder / "launch.json").read_text(encoding="utf-8"))
        return from_plain(Launch, {**data, "folder": folder})
    except (OSError, ValueError, TypeError, SettingsError):
        return None


def launch_folders(runs_folder: Path) -> list[Path]:
    """Return the folders of the launches below a folder of runs, the oldest first."""
    return sorted(path for path in (runs_folder / LAUNCHES_FOLDER).glob("[!.]*") if path.is_dir())


def all_launches(runs_folder: Path) -> Iterator[Launch]:
    """Yield the launches below a folder of runs, the newest first."""
    for folder in reversed(launch_folders(runs_folder)):
        if (launch := read_launch(folder)) is not None:
            yield launch


def write_state(folder: Path, number: int, state: JobState) -> None:
    """Write the state of a job. A disk that refuses it does not stop the job, since records say what is finished."""
    with suppress(OSError, StorageError):
        if folder.is_dir():  # else the launch was deleted as one of the oldest
            write_json(folder / f"{number}.json", to_plain(replace(state, holder=Holder.here())))


def request_stop(launch: Launch) -> None:
    """Ask the jobs of a launch that have not started not to start. A disk that refuses the file is ignored."""
    with suppress(OSError):
        (launch.folder / STOP_FILE).touch()


def is_stopping(folder: Path) -> bool:
    """Return whether the jobs of the launch in a folder were asked not to start."""
    return (folder / STOP_FILE).exists()


def running_states(launch: Launch) -> list[JobState]:
    """Return the states of the jobs of a launch that say that they run."""
    states = [launch.state(number) for number in range(len(launch.names))]
    return [state for state in states if state and state.status == "running"]


def processes_here(launch: Launch) -> set[int]:
    """Return the ids of the processes of this machine that train runs of a launch."""
    return {state.holder.pid for state in running_states(launch) if state.holder.exists()}
