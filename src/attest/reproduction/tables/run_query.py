"""Finished and failed runs selected by their settings, table, status and time."""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Literal

from attest.config.compose import compose_unchecked
from attest.config.constraints import AtLeastOne
from attest.config.error_words import did_you_mean
from attest.config.flat import flatten, schema_defaults
from attest.config.keys import groups_of, known_keys
from attest.config.overrides import alternatives_of, key_of, root_of, split_overrides
from attest.config.own_folders import choices
from attest.config.renamed import present_key
from attest.config.schema import from_plain
from attest.config.settings import Settings
from attest.errors import SettingsError
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.budget import budget_values
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.matching import RecordIndex
from attest.reproduction.tables.varied import complete_settings
from attest.runs.records import Record, hashable
from attest.runs.store import MODEL_KINDS

GROUP_KEYS = {
    "model": ("model._target_",),
    "mask": ("model.directions",),
    "head": ("head._target_",),
    "optimizer": ("optimizer._target_",),
    "dataset": ("dataset.name",),
    "text": ("text",),
    "vectors": ("vectors.file",),
    "phrases": ("phrases.source",),
    "protocol": ("protocol.name",),
    "experiment": ("task", "dataset.name", "head._target_", "text", "protocol.name"),
}
"""The config group -> the settings that say whether a run belongs to a choice of it; text: all settings below it."""
AGES = {"m": 60, "h": 3600, "d": 86400}
DATE = re.compile(r"\d{4}-\d\d(-\d\d(T\d\d(:\d\d(:\d\dZ?)?)?)?)?")


@dataclass(frozen=True, kw_only=True)
class Filter:
    """The settings of `attest runs` that select runs by more than their settings."""

    table: str | None = None
    """The table that the runs belong to, as disan/table1; null: any or none."""
    row: str | None = None
    """The row of the table; null: all rows."""
    status: Literal["done", "failed"] | None = None
    """The status of the runs; null: both."""
    since: str | None = None
    """The earliest end of a run: a date such as 2026-01-31, or an age such as 2d, 3h or 30m."""
    until: str | None = None
    """The latest end of a run, in the same form."""
    limit: Annotated[int, AtLeastOne] = 20
    """The number of runs that are listed."""


def split_query(overrides: Sequence[str]) -> tuple[Filter, list[str]]:
    """Return the filter in the overrides, and the settings that runs have to have; the paths are left out."""
    values, others = split_overrides(overrides, Filter.__dataclass_fields__)
    times = {key: moment(key, str(values[key])) for key in ("since", "until") if values.get(key) is not None}
    return from_plain(Filter, {**values, **times}), [text for text in others if root_of(text) != "paths"]


def moment(key: str, text: str) -> str:
    """Return a date as it is, and an age such as 2d as the time in UTC so long ago."""
    if match := re.fullmatch(r"(\d{1,5})([mhd])", text):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - int(match[1]) * AGES[match[2]]))
    if not (DATE.fullmatch(text) and is_date(text)):
        raise SettingsError(f"{key}={text}: neither a date nor an age; type {key}=2026-01-31, or {key}=2d for two days")
    return text


def is_date(text: str) -> bool:
    """Return whether a text of the form DATE names a day of the calendar, or the beginning of one such as 2026-01."""
    whole = text.removesuffix("Z") + "2000-01-01T00:00:00"[len(text.removesuffix("Z")) :]
    try:
        datetime.fromisoformat(whole)
    except ValueError:
        return False
    return True


def select(records: Iterable[Record], wanted: Filter, settings: Sequence[str]) -> list[Record]:
    """Return the runs, imported ones included, that pass the filter and have all the settings, the newest first."""
    runs = [record for record in records if record.kind in MODEL_KINDS]
    check_queried_keys(settings, runs)
    runs = [record for record in runs if passes(record, wanted)]
    if settings:
        complete = zip(runs, complete_settings(runs), strict=True)
        runs = [record for record, own in complete if all(has(own, text) for text in settings)]
    if wanted.table is not None:
        members = members_of(wanted.table, wanted.row, runs)
        runs = [record for record in runs if record.id in members]
    elif wanted.row is not None:
        raise SettingsError(f"row={wanted.row}: a row is one of a table; type its table too, as table=disan/table1")
    return sorted(runs, key=lambda record: (record.finished, record.id), reverse=True)


def passes(record: Record, wanted: Filter) -> bool:
    """Return whether a run has the status and ended in the time that the filter asks for."""
    return (
        wanted.status in (None, record.status)
        and (wanted.since is None or record.finished >= wanted.since)
        and (wanted.until is None or record.finished[: len(wanted.until)] <= wanted.until)
    )


def check_queried_keys(settings: Sequence[str], runs: Iterable[Record]) -> None:
    """Raise SettingsError for a setting that neither chooses of a group nor stands in a record."""
    usual = flatten(compose_unchecked(()))
    known = {key for record in runs for key in record.settings} | {*GROUP_KEYS, *defaults(), *usual}
    for key in map(key_of, settings):
        if key not in known:
            if renamed := present_key(key):
                raise SettingsError(f"{key}: renamed to {renamed}")
            if key in groups_of() or key in known_keys():
                parts = [f"{each}=..." for each in sorted(known) if each.rpartition(".")[2] == key]
                advice = f"; type {' or '.join(parts)}" if parts else ", so no run can be selected by it"
                raise SettingsError(f"{key}: records do not hold this setting{advice}")
            raise SettingsError(f"{key}: unknown setting.{did_you_mean(key, {*known, *Filter.__dataclass_fields__})}")


def has(run: Mapping[str, Any], text: str) -> bool:
    """Return whether the complete settings of a run have one of the values that an override such as seed=1,2 lists."""
    key, alternatives = key_of(text), alternatives_of(text)
    if key in GROUP_KEYS:
        return any(belongs(run, key, str(choice)) for choice in alternatives)
    return any(run.get(key) == wanted for wanted in alternatives)


def belongs(run: Mapping[str, Any], group: str, choice: str) -> bool:
    """Return whether a run belongs to a choice of a group, whatever other settings it changed."""
    scale = str(run.get("scale", "paper"))
    settings = choice_settings(group, choice, scale)
    wanted = identifying(group, settings)
    if group == "model":
        wanted |= {key: settings[key] for key in telling_keys(str(settings["model._target_"]), scale)}
    return all(run.get(key) == value for key, value in wanted.items())


@cache
def telling_keys(target: str, scale: str) -> list[str]:
    """Return the settings that have another value in each of the models of one class, if there are several."""
    models = [choice_settings("model", name, scale) for name in choices("model")]
    models = [settings for settings in models if settings["model._target_"] == target]
    if len(models) < 2:
        return []
    keys = (key for key in models[0] if key.startswith("model.") and all(key in settings for settings in models))
    return [key for key in keys if len({hashable(settings[key]) for settings in models}) == len(models)]


def identifying(group: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Return those of the settings that say whether a run belongs to a choice of a group."""
    budget = budget_values(Settings)
    return {
        key: value
        for key, value in settings.items()
        if key not in budget or key in GROUP_KEYS[group]
        if any(key == wanted or key.startswith(f"{wanted}.") for wanted in GROUP_KEYS[group])
    }


@cache
def choice_settings(group: str, choice: str, scale: str) -> dict[str, Any]:
    """Return the settings of a choice of a group by dotted key, at a scale."""
    return flatten(compose_unchecked([f"{group}={choice}", f"scale={scale}"]))


@cache
def defaults() -> dict[str, Any]:
    """Return the defaults of the settings that earlier records may lack."""
    return schema_defaults(compose_unchecked(()))


def members_of(table: str, row: str | None, runs: Sequence[Record]) -> set[str]:
    """Return the ids of the runs that belong to a table, or to one of its rows."""
    spec = load_table(table)
    if row is not None:
        spec.row(row)
    ids: set[str] = set()
    index = RecordIndex(runs)
    for scale in {str(record.settings.get("scale", "paper")) for record in runs}:
        if row in spec.rows and row not in spec.rows_at(scale):
            continue
        for cell in cells(spec, scale, [row] if row else []):
            for status in ("done", "failed"):
                ids |= {record.id for record in index.matching(cell, status)}
    return ids
