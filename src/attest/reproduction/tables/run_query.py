"""The runs, finished or failed, that an `attest runs` command asks for, by their settings and a filter."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from attest.config.compose import compose_unchecked
from attest.config.earlier_setting_names import current_key
from attest.config.error_words import did_you_mean
from attest.config.flat import flatten, schema_defaults
from attest.config.keys import groups_of, known_keys
from attest.config.overrides import alternatives_of, key_of
from attest.errors import SettingsError
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.config_choices import GROUP_KEYS, matches_choice
from attest.reproduction.tables.matching import RecordIndex
from attest.reproduction.tables.run_filter import RunFilter
from attest.reproduction.tables.varied import complete_settings
from attest.runs.records import Record
from attest.runs.store import MODEL_KINDS


def select(records: Iterable[Record], wanted: RunFilter, settings: Sequence[str]) -> list[Record]:
    """Return the runs, imported ones included, that pass the filter and have all the settings, the newest first."""
    runs = [record for record in records if record.kind in MODEL_KINDS]
    check_queried_keys(settings, runs)
    runs = [record for record in runs if wanted.passes(record)]
    if settings:
        complete = zip(runs, complete_settings(runs), strict=True)
        runs = [record for record, own in complete if all(has_setting(own, text) for text in settings)]
    if wanted.table is not None:
        members = members_of(wanted.table, wanted.row, runs)
        runs = [record for record in runs if record.id in members]
    elif wanted.row is not None:
        raise SettingsError(f"row={wanted.row}: a row is one of a table; type its table too, as table=disan/table1")
    return sorted(runs, key=lambda record: (record.finished, record.id), reverse=True)


def check_queried_keys(settings: Sequence[str], runs: Iterable[Record]) -> None:
    """Raise SettingsError for a setting that neither chooses of a group nor stands in a record."""
    usual = flatten(compose_unchecked(()))
    known = {key for record in runs for key in record.settings} | {*GROUP_KEYS, *defaults(), *usual}
    for key in map(key_of, settings):
        if key not in known:
            raise SettingsError(describe_unknown_key(key, known))


def describe_unknown_key(key: str, known: Collection[str]) -> str:
    """Return the error text of a key that is not among the `known` ones, which records hold."""
    if renamed := current_key(key):
        return f"{key}: renamed to {renamed}"
    if key in groups_of() or key in known_keys():
        parts = [f"{whole}=..." for whole in sorted(known) if whole.rpartition(".")[2] == key]
        advice = f"; type {' or '.join(parts)}" if parts else ", so no run can be selected by it"
        return f"{key}: records do not hold this setting{advice}"
    return f"{key}: unknown setting.{did_you_mean(key, {*known, *RunFilter.__dataclass_fields__})}"


def has_setting(run: Mapping[str, Any], text: str) -> bool:
    """Return whether the complete settings of a run have one of the values that an override such as seed=1,2 lists."""
    key, alternatives = key_of(text), alternatives_of(text)
    if key in GROUP_KEYS:
        return any(matches_choice(run, key, str(choice)) for choice in alternatives)
    return any(run.get(key) == wanted for wanted in alternatives)


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
