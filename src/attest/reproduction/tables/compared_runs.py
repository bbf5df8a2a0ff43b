"""Finished runs as a sweep whose axes are the settings in which they differ."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from attest.config.overrides import override_value
from attest.reproduction.tables.sweep_outcomes import SweepOutcome, has_fold, sweep_table
from attest.reproduction.tables.sweeps import FOLD, SweepTable
from attest.reproduction.tables.varied import (
    ABSENT,
    complete_settings,
    is_determined_by,
    short_key,
    short_value,
    varied_keys,
)
from attest.runs.records import Record, hashable


def compared_runs(records: Sequence[Record]) -> SweepTable:
    """Return the table of finished runs, whose axes are the settings in which they differ.

    Replicates are seeds or, if runs have different folds, the folds of those that have one. Runs on other data or by
    other versions of the code are never in one row: if need be, these are axes as well. So are the ids of runs that
    nothing else tells apart, so that each run is in the table.
    """
    settings = complete_settings(records)
    folds = len({str(run.get(FOLD)) for run in settings}) > 1
    numbers = [str(run[FOLD] if folds and run.get(FOLD) is not None else run.get("seed")) for run in settings]
    seeds_of_folds = {run.get("seed") for run in settings if run.get(FOLD) is not None}
    keys = varied_keys(settings, [FOLD, *(["seed"] if len(seeds_of_folds) < 2 else [])] if folds else ["seed"])
    facts = [{"data": record.fingerprint, "versions": sorted(record.versions.items())} for record in records]
    places = [tuple(hashable(run.get(key, ABSENT)) for key in keys) for run in settings]
    extra = [
        fact for fact in ("data", "versions") if not is_determined_by([hashable(run[fact]) for run in facts], places)
    ]
    columns = {key: [run.get(key, ABSENT) for run in settings] for key in keys}
    outcomes = [
        SweepOutcome(
            (
                *(override_value(short_value(key, run.get(key, ABSENT), columns[key])) for key in keys),
                *(format_fact(run_facts[fact]) for fact in extra),
            ),
            number,
            record,
        )
        for record, run, run_facts, number in zip(records, settings, facts, numbers, strict=True)
    ]
    axes, outcomes = with_run_axis([*map(short_key, keys), *extra], outcomes)
    return sweep_table(axes, outcomes, FOLD if folds else "seed", is_comparison=True)


def with_run_axis(axes: Sequence[str], outcomes: Sequence[SweepOutcome]) -> tuple[Sequence[str], list[SweepOutcome]]:
    """Return axes and outcomes with a further axis, the ids of runs that share their place, if there are some.

    An earlier record lacks a setting that was added since, and may thus have the same settings as a later run.
    """
    places = [(outcome.values, outcome.replicate, has_fold(outcome)) for outcome in outcomes]
    shared = {place for place, number in Counter(places).items() if number > 1}
    if not shared:
        return axes, list(outcomes)
    return [*axes, "run"], [
        replace(outcome, values=(*outcome.values, outcome.record.id if outcome.record and place in shared else ABSENT))
        for outcome, place in zip(outcomes, places, strict=True)
    ]


def format_fact(fact: Any) -> str:
    """Return the fingerprint of the data, or the versions of the code, for a column."""
    return fact if isinstance(fact, str) else " ".join(f"{name}={number}" for name, number in fact)
