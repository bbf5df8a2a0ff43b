"""Upload of finished records to Weights & Biases."""

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
from attest.runs.wandb.account import why_offline
from attest.runs.wandb.errors import translate_wandb_errors
from attest.runs.wandb.mirror import log_evaluation, logged_online, send_artifacts, start_run
from attest.runs.wandb.retries import has_other_figures, note_earlier_curve


@dataclass(frozen=True)
class Pushed:
    """The part of a record that the server did not have yet."""

    new: bool
    """True if the server had no such run."""
    sent_evaluations: int
    """The number of evaluations of the curve that were sent."""


def check_online(settings: HasLogger, command: str) -> None:
    """Raise SettingsError if runs cannot be uploaded, because there is no API key or the settings say offline."""
    if reason := why_offline(settings.logger):
        raise SettingsError(f"{command}: {reason}")


def push(settings: HasLogger, card: RunCard, record: Record, stores: Sequence[Store]) -> Pushed:
    """Create a W&B run from a record, or add what an existing one lacks; raise MirrorError if that fails.

    The server says at which step its curve ends, so that no entry is sent twice, even if another process sent the first
    ones. A run that exists keeps its name and notes if its record does not say where it comes from.
    """
    with translate_wandb_errors(f"{record.id}: not sent whole"):
        named = bool(card.config["cell"])
        run = start_run(settings, card, "online", named=named)
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
    if has_other_figures(run, record.metrics):
        note_earlier_curve(run)
    run.summary.update(summary(record, card))
    if settings.logger.artifacts:
        send_artifacts(run, record, stores, Path(settings.paths.runs))
    return Pushed(not run.resumed, len(missing))
