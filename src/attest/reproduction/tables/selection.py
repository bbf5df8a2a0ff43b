"""The setting of a search that a table shows: the one that is best on dev, over replicates that can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from attest.errors import SettingsError
from attest.reproduction.specs.metric_names import DEV, lower_is_better
from attest.reproduction.tables.cells import Cell
from attest.reproduction.tables.run_groups import RunGroup, same_data


@dataclass(frozen=True)
class Selection:
    """The setting that a row with a search shows, and those that it was selected from."""

    cell: Cell
    group: RunGroup
    comparable: tuple[RunGroup, ...]
    """The group of each setting that ran on the same data with the same budget, the one shown included."""
    compared_count: int
    """The number of these settings among which dev has selected."""
    replicates: tuple[int, ...]
    """The replicates that dev has compared if all settings have run; empty if not all have."""


def select_setting(candidates: Sequence[tuple[Cell, RunGroup]], settings: int, wanted: int, metric: str) -> Selection:
    """Return the setting of a search with the best mean of `metric`, a metric of the dev set.

    `candidates` are the groups of all its settings, sorted by rank. If each of the `settings` has run, those replicates
    count that all have: it is enough to try each setting once, and to repeat the best one. Otherwise dev selects among
    the settings that have as many of the `wanted` replicates as the first. A setting that has several groups, such as
    runs with the trees of several parsers, counts once, with the first of them.
    """
    first = candidates[0][1]
    by_variant: dict[str, tuple[Cell, RunGroup]] = {}
    for cell, group in candidates:
        if same_data(group, first):
            by_variant.setdefault(cell.variant, (cell, group))
    comparable = list(by_variant.values())
    shared = shared_replicates(comparable) if len(comparable) == settings else ()
    among = [
        pair
        for pair in comparable
        if shared or pair[1].complete_replicates(wanted) >= first.complete_replicates(wanted)
    ]
    best = min if lower_is_better(metric) else max
    cell, group = best(among, key=lambda pair: mean_on_dev(*pair, metric, shared))
    return Selection(cell, group, tuple(group for _, group in comparable), len(among), shared)


def shared_replicates(settings: Sequence[tuple[Cell, RunGroup]]) -> tuple[int, ...]:
    """Return the numbers of the replicates that all settings have, sorted."""
    numbers = [{cell.panel.replicates.number(run.settings) for run in group.records} for cell, group in settings]
    return tuple(sorted(set[int].intersection(*numbers)))


def mean_on_dev(cell: Cell, group: RunGroup, metric: str, replicates: Sequence[int]) -> float:
    """Return the mean of a metric over the given replicates of a setting; over all of them if none is given.

    Raise SettingsError if a run lacks the metric.
    """
    if any(metric not in record.metrics for record in group.records):
        measured = sorted(name for name in group.records[0].metrics if name.startswith(DEV))
        raise SettingsError(
            f"rows.{cell.row}.search.select: its runs have no {metric}; type one of {', '.join(measured)}"
        )
    number = cell.panel.replicates.number
    values = [run.metrics[metric] for run in group.records if not replicates or number(run.settings) in replicates]
    return sum(values) / len(values)
