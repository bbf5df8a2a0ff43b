"""Upload to Weights & Biases what is on this machine: records that are finished, and what offline runs left."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import wandb
from attest.config.settings import HasLogger
from attest.errors import MirrorError, SettingsError
from attest.runs.records import Record, Store
from attest.runs.run_card import RunCard
from attest.runs.wandb_account import hosts, wandb_mode
from attest.runs.wandb_mirror import send_artifacts, start, summary


@dataclass(frozen=True)
class Pushed:
    """The part of a record that the server did not have yet."""

    new: bool
    """Whether the server had no such run."""
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
    try:
        named = bool(card.config["cell"])
        run = start(settings, card, "online", named=named)
        if not (named or run.resumed):
            run.name, run.notes = card.name, card.notes
        pushed = send(run, settings, record, stores)
        run.finish(exit_code=0 if record.status == "done" else 1)
    except (wandb.Error, OSError, TimeoutError) as error:
        raise MirrorError(f"{record.id}: not sent whole ({' '.join(str(error).split())})") from error
    return pushed


def send(run: wandb.Run, settings: HasLogger, record: Record, stores: Sequence[Store]) -> Pushed:
    """Send what a W&B run lacks of a record: curve, final metrics and, by choice, predictions and weights."""
    curve = record.curve if record.kind in ("train", "parser") else ()
    missing = [entry for entry in curve if int(entry["step"]) >= run.starting_step]
    for entry in missing:
        run.log(dict(entry), step=int(entry["step"]), commit=True)
    run.summary.update(summary(record))
    if settings.logger.artifacts:
        send_artifacts(run, record, stores, Path(settings.paths.runs))
    return Pushed(not run.resumed, len(missing))


def unsent_segments(folder: Path) -> list[Path]:
    """Return the files of offline runs below the folder that holds `wandb/` that no `sync` has uploaded, by time."""
    files = sorted(folder.glob("wandb/offline-run-*/run-*.wandb"))
    return [path for path in files if not path.with_suffix(".wandb.synced").exists()]


def sync(segments: Sequence[Path]) -> str:
    """Upload segments with W&B's own client, those of one run in order, and return the errors that it printed.

    The client marks what it has uploaded, and goes on with the rest at the next call.
    """
    command = [sys.executable, "-m", "wandb", "sync", "--yes", *map(str, segments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line.removeprefix("wandb: ") for line in done.stderr.splitlines()]
    return "; ".join(line for line in lines if "ERROR" in line or "error" in line)
