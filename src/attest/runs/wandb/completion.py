"""Offline segments of a run whose curve the W&B server has in part, from a push or from an online segment."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import wandb
from wandb.apis.public.runs import RunNotFoundError
from wandb.errors import CommError

from attest.config.settings import Settings
from attest.runs.run_card import RunCard
from attest.runs.wandb.mirror import log_evaluation, logged_online, start_run
from attest.runs.wandb.retries import has_other_figures, note_earlier_curve
from attest.runs.wandb.segments import SegmentItem


def is_known_in_part(settings: Settings, items: Sequence[SegmentItem]) -> bool:
    """Return whether the server has steps that the items of a run have too, which W&B's client would add again."""
    steps = [int(item["history"]["item"]["_step"]) for item in items if item["type"] == "history"]
    if not steps:
        return False
    api, header = wandb.Api(), header_of(items)
    logger = settings_of_segment(settings, header).logger
    try:
        known = api.run(f"{logger.entity or api.default_entity}/{logger.project}/{header['run_id']}")
    except CommError as error:
        if isinstance(error.exc, RunNotFoundError):
            return False
        raise
    last = known.summary.get("_step")
    return last is not None and min(steps) <= int(last)


def send_rest(settings: Settings, items: Sequence[SegmentItem]) -> None:
    """Send what a W&B run lacks of its items: the steps after its last one, and its end.

    Artifacts are left to `attest wandb push`.
    """
    header = header_of(items)
    run = start_run(settings_of_segment(settings, header), card_of(header), "online", named=False)
    try:
        send_items(run, items)
    except Exception:
        with suppress(Exception):  # the first error says why the run is not whole
            run.finish(exit_code=1)
        raise
    exits = [item["exit"].get("exit_code", 0) for item in items if item["type"] == "exit"]
    run.finish(exit_code=exits[-1] if exits else 1)


def header_of(items: Sequence[SegmentItem]) -> SegmentItem:
    """Return the description of the run that the first of its segments begins with."""
    return next(item["run"] for item in items if item["type"] == "run")


def send_items(run: wandb.Run, items: Sequence[SegmentItem]) -> None:
    """Log the rows of items that follow the last step of a W&B run, and its summary if the items end it."""
    logged, free_step = logged_online(run), run.starting_step
    for item in items:
        if item["type"] == "summary" and "status" in (final := item["summary"]["update"]):
            if has_other_figures(run, {name: final[name] for name in final if "/" in name}):
                note_earlier_curve(run)
            run.summary.update(final)
        elif item["type"] == "history":
            row = item["history"]["item"]
            figures = {key: value for key, value in row.items() if not key.startswith("_")}
            if "epoch" in row and int(row["step"]) > logged.evaluated:
                free_step = log_evaluation(run, figures, free_step)
            elif "epoch" not in row and int(row["_step"]) > logged.step:
                run.log(figures, step=int(row["_step"]))


def settings_of_segment(settings: Settings, header: SegmentItem) -> Settings:
    """Return the settings with the project and owner of a run, as its segment names them."""
    logger = settings.logger
    own = replace(logger, project=header["project"], entity=header.get("entity", logger.entity))
    return replace(settings, logger=own)


def card_of(header: SegmentItem) -> RunCard:
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
