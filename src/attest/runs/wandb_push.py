"""Upload to Weights & Biases what is on this machine: records that are finished, and what offline runs left."""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import wandb

from attest.config.settings import HasLogger
from attest.errors import SettingsError
from attest.runs.records import Record
from attest.runs.run_card import RunCard, summary
from attest.runs.store import Store
from attest.runs.wandb_account import hosts, wandb_mode
from attest.runs.wandb_errors import translate_wandb_errors
from attest.runs.wandb_mirror import log_evaluation, logged_online, send_artifacts, start
from attest.runs.wandb_segments import entries, segment_files
from attest.system.locks import is_held, lease_file

HEADER = 7
"""The number of bytes before the first entry of a segment."""
INCOMPLETE = "the file ends with an incomplete record"
"""The words in which W&B's client says that it has sent a file without an end as far as it goes."""


@dataclass(frozen=True)
class Pushed:
    """The part of a record that the server did not have yet."""

    new: bool
    """True if the server had no such run."""
    entries: int
    """The number of entries of the curve that were sent."""


def check_online(settings: HasLogger, command: str) -> None:
    """Raise SettingsError if runs cannot be uploaded, because there is no API key or the settings say offline."""
    if wandb_mode(settings.logger) != "online":
        raise SettingsError(
            f"{command}: no API key for {' or '.join(sorted(hosts()))}, or logger.online or WANDB_MODE say otherwise; "
            "type wandb login, or set WANDB_API_KEY"
        )


def push(settings: HasLogger, card: RunCard, record: Record, stores: Sequence[Store]) -> Pushed:
    """Make a W&B run of a record, or add to an existing one what it lacks; raise MirrorError if that fails.

    The server says at which step its curve ends, so that entries are sent once, whoever sent the first of them. A run
    that exists keeps its name and notes if its record does not say where it comes from.
    """
    with translate_wandb_errors(f"{record.id}: not sent whole"):
        named = bool(card.config["cell"])
        run = start(settings, card, "online", named=named)
        if not (named or run.resumed):
            run.name, run.notes = card.name, card.notes
        try:
            pushed = send(run, settings, card, record, stores)
        except Exception:
            with suppress(Exception):  # the first error says why the run is not whole
                run.finish(exit_code=1)
            raise
        run.finish(exit_code=0 if record.status == "done" else 1)
        return pushed


def send(run: wandb.Run, settings: HasLogger, card: RunCard, record: Record, stores: Sequence[Store]) -> Pushed:
    """Send what a W&B run lacks of a record: curve, final metrics and, by choice, predictions and weights."""
    curve = record.curve if record.kind in ("train", "parser") else ()
    evaluated, free_step = logged_online(run).evaluated, run.starting_step
    missing = [entry for entry in curve if int(entry["step"]) > evaluated]
    for entry in missing:
        free_step = log_evaluation(run, entry, free_step)
    run.summary.update(summary(record, card))
    if settings.logger.artifacts:
        send_artifacts(run, record, stores, Path(settings.paths.runs))
    return Pushed(not run.resumed, len(missing))


def unsent_segments(settings: HasLogger) -> list[Path]:
    """Return the files of offline runs that `sync` has not uploaded, by time, without runs that go on."""
    files = segment_files(Path(settings.paths.wandb), "*")
    return [
        path
        for path in files
        if not mark_of(path).exists() and not is_held(lease_file(Path(settings.paths.runs) / run_of(path)))
    ]


def run_of(segment: Path) -> str:
    """Return the id of the run that a segment is part of."""
    return segment.stem.removeprefix("run-")


def mark_of(segment: Path) -> Path:
    """Return the path of the file by which W&B's client marks a segment that it has uploaded."""
    return segment.with_suffix(".wandb.synced")


def sync(segments: Sequence[Path]) -> list[str]:
    """Upload segments with W&B's own client, and return the errors that it printed.

    The client stops at a segment that a killed process left without an end, and would send it again. The segments of
    such a run are therefore uploaded one by one, and those without an end, which are sent as far as they go, are
    marked as uploaded. A segment in which W&B's program finds nothing, though more than its header is there, is an
    error.
    """
    kinds = {path: [entry["type"] for entry in entries(path)] for path in segments}
    unreadable = [path for path, types in kinds.items() if not types and path.stat().st_size > HEADER]
    killed = {run_of(path) for path, types in kinds.items() if "exit" not in types}
    whole = [path for path in segments if run_of(path) not in killed]
    errors = sync_with_client(whole) if whole else []
    broken: set[str] = set()
    for path in segments:
        if run_of(path) not in killed - broken:
            continue
        found = sync_with_client([path]) if "run" in kinds[path] else []
        if path in unreadable:
            found = [f"{path}: W&B's program cannot read it; remove it if it is damaged"]
        elif "exit" not in kinds[path] and all(INCOMPLETE in text for text in found):
            mark_of(path).touch()
        if not mark_of(path).exists():  # a later part may only follow an earlier one
            broken.add(run_of(path))
            errors += found
    return errors


def sync_with_client(segments: Sequence[Path]) -> list[str]:
    """Upload segments with W&B's client, which marks those that it has uploaded; return the errors that it printed."""
    command = [sys.executable, "-m", "wandb", "sync", "--yes", *map(str, segments)]
    folder = segments[0].parents[2]  # the client's logs go below it, not to the current folder
    environment = {**os.environ, "WANDB_DIR": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    lines = [line.removeprefix("wandb: ") for line in done.stderr.splitlines()]
    errors = [line for line in lines if "ERROR" in line or "error" in line]
    return errors or ([] if done.returncode == 0 else lines[-1:] or [f"exit code {done.returncode}"])
