"""Offline segments of a run whose curve the W&B server has in part, from a push or from an online part of the run."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import wandb
from wandb.apis.public.runs import RunNotFoundError
from wandb.errors import CommError

from attest.config.settings import Settings
from attest.runs.run_card import RunCard
from attest.runs.wandb.mirror import log_evaluation, logged_online, start
from attest.runs.wandb.repetition import has_other_figures, note_earlier_curve
from attest.runs.wandb.segments import Entry


def is_known_in_part(settings: Settings, found: Sequence[Entry]) -> bool:
    """Return whether the server has steps that the entries of a run have too, which W&B's client would add again."""
    steps = [int(entry["history"]["item"]["_step"]) for entry in found if entry["type"] == "history"]
    if not steps:
        return False
    api, header = wandb.Api(), header_of(found)
    logger = own_settings(settings, header).logger
    try:
        known = api.run(f"{logger.entity or api.default_entity}/{logger.project}/{header['run_id']}")
    except CommError as error:
        if isinstance(error.exc, RunNotFoundError):
            return False
        raise
    last = known.summary.get("_step")
    return last is not None and min(steps) <= int(last)


def send_rest(settings: Settings, found: Sequence[Entry]) -> None:
    """Send what a W&B run lacks of its entries: the steps after its last one, and its end.

    Artifacts are left to `attest wandb push`.
    """
    header = header_of(found)
    run = start(own_settings(settings, header), card_of(header), "online", named=False)
    try:
        send_entries(run, found)
    except Exception:
        with suppress(Exception):  # the first error says why the run is not whole
            run.finish(exit_code=1)
        raise
    exits = [entry["exit"].get("exit_code", 0) for entry in found if entry["type"] == "exit"]
    run.finish(exit_code=exits[-1] if exits else 1)


def header_of(found: Sequence[Entry]) -> Entry:
    """Return the description of the run that the first of its segments begins with."""
    return next(entry["run"] for entry in found if entry["type"] == "run")


def send_entries(run: wandb.Run, found: Sequence[Entry]) -> None:
    """Log the rows of entries that follow the last step of a W&B run, and its summary if the entries end it."""
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


def own_settings(settings: Settings, header: Entry) -> Settings:
    """Return the settings with the project and owner of a run, as its segment names them."""
    logger = settings.logger
    own = replace(logger, project=header["project"], entity=header.get("entity", logger.entity))
    return replace(settings, logger=own)


def card_of(header: Entry) -> RunCard:
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
