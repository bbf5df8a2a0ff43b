"""The card of a run, its description for mirrors: the id, name, group, type, tags, notes and config."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from attest.config.components import constructor_parameters
from attest.config.flat import nest
from attest.config.locate import locate_class
from attest.config.settings import Logger
from attest.errors import SettingsError
from attest.runs.records import Record

NAME_LENGTH, TAG_LENGTH = 128, 64
"""The numbers of characters that W&B allows."""


@dataclass(frozen=True, kw_only=True)
class RunContext:
    """The facts about a run that its record does not hold: its command, its table or sweep, deviations and further
    labels."""

    command: str
    varied: Sequence[str] = ()
    """The overrides that tell the run from other runs of its group, without the seed."""
    group: str | None = None
    """The table of the run, or a name of its sweep."""
    cell: Mapping[str, Any] | None = None
    """The paper, table, row and columns that the run belongs to; None if it belongs to no table."""
    deviations: Sequence[str] = ()
    """The deviations from the paper, as texts."""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Further entries of the config by key, by which W&B filters and groups runs."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """Figures that the summary shows besides those of the record."""


@dataclass(frozen=True, kw_only=True)
class RunCard:
    """The description of a run for its mirrors: id, name, group, type, tags, notes and config, without the figures of
    its record."""

    id: str
    name: str
    group: str | None
    job_type: str
    tags: tuple[str, ...]
    notes: str
    config: Mapping[str, Any]
    figures: Mapping[str, float] = field(default_factory=dict)
    """Figures that the summary shows besides those of the record."""


def run_card(record: Record, context: RunContext, name: str | None = None) -> RunCard:
    """Return the card of a run; `name` is a name of the caller's own, in place of the row, overrides and seed."""
    return RunCard(
        id=record.id,
        name=card_name(record, context) if name is None else shorten(name, record.id),
        group=context.group,
        job_type=record.kind,
        tags=tuple(text[:TAG_LENGTH] for text in tags(record, context)),
        notes=context.command,
        config=card_config(record, context),
        figures=context.figures,
    )


def with_logger_settings(card: RunCard, logger: Logger) -> RunCard:
    """Return the card with the group, type, tags and notes that the settings of the logger name."""
    return replace(
        card,
        group=logger.group or card.group,
        job_type=logger.job_type or card.job_type,
        tags=tuple(dict.fromkeys([*card.tags, *(tag[:TAG_LENGTH] for tag in logger.tags)])),
        notes=logger.notes or card.notes,
    )


def card_name(record: Record, context: RunContext) -> str:
    """Return the row of a run (else the class of its model), the overrides that tell it apart, and its seed."""
    target = str(record.settings.get("model._target_", record.kind))
    row = (context.cell or {}).get("row") or record.label.row or target.rpartition(".")[2]
    return shorten(" ".join([row, *context.varied]), record.id, f" seed={record.seed}")


def shorten(name: str, run_id: str, end: str = "") -> str:
    """Return the name followed by `end`, in at most NAME_LENGTH characters.

    If that is longer, the name is cut, and an ellipsis, `end` and the id follow, which keep the result unique.
    """
    if len(name) + len(end) <= NAME_LENGTH:
        return name + end
    end = f"…{end} {run_id}"
    return name[: NAME_LENGTH - len(end)] + end


def tags(record: Record, context: RunContext) -> list[str]:
    """Return the tags of a run, such as dataset=snli, in the order in which W&B shows them."""
    settings = record.settings
    facts = {
        "paper": (context.cell or {}).get("paper"),
        "dataset": settings.get("dataset.name"),
        "scale": settings.get("scale"),
        "protocol": settings.get("protocol.name"),
        "mask": mask_name(settings),
        "optimizer": str(settings.get("optimizer._target_", "")).rpartition(".")[2],
    }
    return [f"{key}={value}" for key, value in facts.items() if value]


def mask_name(settings: Mapping[str, Any]) -> str | None:
    """Return the directions of a directional model as its mask is named, such as forward_backward; else None."""
    directions = settings.get("model.directions")
    if directions is None:
        with suppress(SettingsError):
            model = locate_class({"_target_": settings.get("model._target_")}, "model")
            parameter = constructor_parameters(model).get("directions")
            directions = parameter and parameter.default
    return "_".join(dict.fromkeys(directions)) if isinstance(directions, list | tuple) else None


def card_config(record: Record, context: RunContext) -> dict[str, Any]:
    """Return the config of a run as nested dicts: its settings, and the facts that tell it from others in a dashboard.

    These are its mask, data, deviations, versions, commit, environment, cell, parents and labels.
    """
    return {
        **nest(record.settings),
        **({"mask": mask} if (mask := mask_name(record.settings)) else {}),
        "data": dict(record.data),
        "deviations": list(context.deviations),
        "versions": dict(record.versions),
        "commit": record.environment.get("commit"),
        "environment": dict(record.environment),
        "cell": dict(context.cell or {}),
        "parents": list(record.parents),
        **{key: dict(names) for key, names in context.labels.items()},
    }


def summary(record: Record, card: RunCard, hidden: Sequence[str] = ()) -> dict[str, Any]:
    """Return the summary of a run: its metrics without those of `hidden` splits, best step, cost, status and error.

    The figures of its card, such as those of the paper, come first, so that those of the record take precedence.
    """
    cost = {} if record.cost is None else {f"cost/{key}": value for key, value in vars(record.cost).items()}
    best = {"best_step": record.selected["step"]} if "step" in record.selected else {}
    metrics = {**card.figures, **record.shown_metrics(hidden)}
    error = record.reason if record.status == "failed" else None  # also None, in place of that of an earlier process
    return {**metrics, **cost, **best, "selected": dict(record.selected), "status": record.status, "error": error}
