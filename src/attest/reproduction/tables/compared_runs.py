"""Finished runs as a sweep whose axes are the settings in which they differ."""

from collections.abc import Sequence
from typing import Any

from attest.config.overrides import format_value
from attest.reproduction.tables.sweeps import FOLD, SweepOutcome, SweepTable, sweep_table
from attest.reproduction.tables.varied import (
    ABSENT,
    complete_settings,
    follows,
    short_key,
    short_value,
    varied_keys,
)
from attest.runs.records import Record, hashable


def compared_runs(records: Sequence[Record]) -> SweepTable:
    """Return the table of finished runs, whose axes are the settings in which they differ.

    Replicates are seeds or, if runs have different folds, the folds of those that have one. Runs on other data or by
    other versions of the code are never in one row: if need be, these are axes as well.
    """
    settings = complete_settings(records)
    folds = len({str(run.get(FOLD)) for run in settings}) > 1
    numbers = [str(run[FOLD] if folds and run.get(FOLD) is not None else run.get("seed")) for run in settings]
    seeds_of_folds = {run.get("seed") for run in settings if run.get(FOLD) is not None}
    keys = varied_keys(settings, [FOLD, *(["seed"] if len(seeds_of_folds) < 2 else [])] if folds else ["seed"])
    facts = [{"data": record.fingerprint, "versions": sorted(record.versions.items())} for record in records]
    places = [tuple(hashable(run.get(key, ABSENT)) for key in keys) for run in settings]
    extra = [fact for fact in ("data", "versions") if not follows([hashable(run[fact]) for run in facts], places)]
    columns = {key: [run.get(key, ABSENT) for run in settings] for key in keys}
    outcomes = [
        SweepOutcome(
            (
                *(format_value(short_value(key, run.get(key, ABSENT), columns[key])) for key in keys),
                *(format_fact(run_facts[fact]) for fact in extra),
            ),
            number,
            record,
        )
        for record, run, run_facts, number in zip(records, settings, facts, numbers, strict=True)
    ]
    return sweep_table([*map(short_key, keys), *extra], outcomes, FOLD if folds else "seed", "Runs by")


def format_fact(fact: Any) -> str:
    """Return the fingerprint of the data, or the versions of the code, for a column."""
    return fact if isinstance(fact, str) else " ".join(f"{name}={number}" for name, number in fact)
