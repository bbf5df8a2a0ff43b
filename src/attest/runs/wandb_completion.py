"""Offline segments of a run whose curve the W&B server has in part, from a push or from an online part of the run."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import wandb
from wandb.apis.public.runs import RunNotFoundError
from wandb.errors import CommError

from attest.config.settings import Settings
from attest.runs.run_card import RunCard
from attest.runs.wandb_mirror import log_evaluation, logged_online, start
from attest.runs.wandb_repetition import has_other_figures, note_earlier_curve
from attest.runs.wandb_segments import entries, history


def is_known_in_part(settings: Settings, segments: Sequence[Path]) -> bool:
    """Return whether the server has steps that the segments of a run have too, which W&B's client would add again."""
    runs = [entry["run"] for path in segments for entry in entries(path) if entry["type"] == "run"]
    steps = [int(row["_step"]) for path in segments for row in history(path)]
    if not steps:
        return False
    api, logger = wandb.Api(), own_settings(settings, runs[0]).logger
    try:
        known = api.run(f"{logger.entity or api.default_entity}/{logger.project}/{runs[0]['run_id']}")
    except CommError as error:
        if isinstance(error.exc, RunNotFoundError):
            return False
        raise
    return min(steps) <= int(known.summary.get("_step") or -1)


def send_rest(settings: Settings, segments: Sequence[Path]) -> None:
    """Send what a W&B run lacks of its segments: the steps after its last one, and its end.

    Artifacts are left to `attest wandb push`.
    """
    found = [entry for path in segments for entry in entries(path)]
    header = next(entry["run"] for entry in found if entry["type"] == "run")
    run = start(own_settings(settings, header), card_of(header), "online", named=False)
    try:
        send_entries(run, found)
    except Exception:
        with suppress(Exception):  # the first error says why the run is not whole
            run.finish(exit_code=1)
        raise
    exits = [entry["exit"].get("exit_code", 0) for entry in found if entry["type"] == "exit"]
    run.finish(exit_code=exits[-1] if exits else 1)


def send_entries(run: wandb.Run, found: Sequence[dict[str, Any]]) -> None:
    """Log the rows of segments that follow the last step of a W&B run, and its summary if the segments end it."""
    logged, free_step = logged_online(run), run.starting_step
    for entry in found:
        if entry["type"] == "summary" and "status" in (final := entry["summary"]["update"]):
            if has_other_figures(run, {name: final[name] for name in final if "/" in name}):
                note_earlier_curve(run)
            run.summary.update(final)
        elif entry["type"] == "history":
            row = entry["history"]["item"]
            figures = {key: value for key, value in row.items() if not key.startswith("_")}
            if "epoch" in row and int(row["step"]) > logged.evaluated:
                free_step = log_evaluation(run, figures, free_step)
            elif "epoch" not in row and int(row["_step"]) > logged.step:
                run.log(figures, step=int(row["_step"]))


def own_settings(settings: Settings, header: dict[str, Any]) -> Settings:
    """Return the settings with the project and owner of a run, as its segment names them."""
    logger = settings.logger
    own = replace(logger, project=header["project"], entity=header.get("entity", logger.entity))
    return replace(settings, logger=own)


def card_of(header: dict[str, Any]) -> RunCard:
    """Return the card of a run, as its segment describes it."""
    config = header["config"]["update"]
    return RunCard(
        id=header["run_id"],
        name=header.get("display_name", header["run_id"]),
        group=header.get("run_group"),
        job_type=header["job_type"],
        tags=tuple(header.get("tags", ())),
        notes=header.get("notes", ""),
        config={key: value for key, value in config.items() if key != "_wandb"},
    )
