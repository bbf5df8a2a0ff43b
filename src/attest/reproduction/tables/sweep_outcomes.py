"""The outcomes of the runs of a sweep, and the table that they make."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from attest.reproduction.tables.sweeps import FOLD, SweepRow, SweepTable
from attest.reproduction.tables.varied import is_determined_by
from attest.runs.records import Record


@dataclass(frozen=True)
class SweepOutcome:
    """The outcome of one run of a sweep: its place in the grid, and its record or the reason why there is none."""

    values: tuple[str, ...]
    """The value of each axis."""
    replicate: str
    """The seed, or the fold, which pairs runs of two rows."""
    record: Record | None
    """The record of the finished run; None if the run failed."""
    reason: str = ""
    """The error of a failed run."""


def sweep_table(
    axes: Sequence[str], outcomes: Sequence[SweepOutcome], replicates: str = "seed", *, is_comparison: bool = False
) -> SweepTable:
    """Return the table of a sweep from the outcomes of its runs, with a row for each combination that occurs."""
    if replicates == FOLD:
        axes, outcomes = with_fold_axis(axes, outcomes)
    results: dict[tuple[str, ...], tuple[dict[str, Record], dict[str, str]]] = {}
    for outcome in outcomes:
        runs, failures = results.setdefault(outcome.values, ({}, {}))
        if outcome.record is None:
            failures[outcome.replicate] = outcome.reason
        else:
            runs.setdefault(outcome.replicate, outcome.record)
    rows = tuple(SweepRow(values, runs, failures) for values, (runs, failures) in results.items())
    return SweepTable(tuple(axes), rows, replicates, is_comparison)


def with_fold_axis(axes: Sequence[str], outcomes: Sequence[SweepOutcome]) -> tuple[Sequence[str], list[SweepOutcome]]:
    """Return axes and outcomes with a further axis, whether a run has a fold, if runs of both kinds would share a row.

    A run without a fold reads the data of a fold, so that a mean over both would count that fold twice.
    """
    folded = [has_fold(outcome) for outcome in outcomes]
    if is_determined_by(folded, [outcome.values for outcome in outcomes]):
        return axes, list(outcomes)
    return [*axes, "folds"], [
        replace(outcome, values=(*outcome.values, "yes" if is_fold else "no"))
        for outcome, is_fold in zip(outcomes, folded, strict=True)
    ]


def has_fold(outcome: SweepOutcome) -> bool:
    """Return whether a run of a sweep over folds has a fold, as its record or, if it failed, its replicate says."""
    if outcome.record is None:
        return outcome.replicate != str(None)
    return outcome.record.settings.get(FOLD) is not None
