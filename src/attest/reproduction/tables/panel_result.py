"""The result of a row of a table in one of its panels: the runs shown, and the figures that follow from them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from attest.reproduction.specs.columns import Column, Panel
from attest.reproduction.specs.metric_names import COST, DATA, MEMORY, SIZE, TRANSFER, is_count, lower_is_better
from attest.reproduction.tables import encoder_memory, subsets
from attest.reproduction.tables.best_of_runs import bests_of_runs, bests_of_settings
from attest.reproduction.tables.cells import Cell
from attest.reproduction.tables.compose_cache import cached_size
from attest.reproduction.tables.metrics import (
    has_less_transfer_data,
    metric_value,
    overlap_of_splits,
    runs_with_transfers,
    transfer_deviations,
)
from attest.reproduction.tables.run_groups import RunGroup
from attest.reproduction.tables.selection import Selection
from attest.reproduction.tables.setting_deviations import training_deviations
from attest.reproduction.tables.statistics import Summary
from attest.reproduction.tables.timed_runs import runs_with_times
from attest.runs.records import Record

Status = Literal["done", "failed", "not run", "data unavailable"]


@dataclass(frozen=True)
class PanelResult:
    """The result of one row in the columns of one panel: the runs shown, and everything else that was run for it."""

    panel: Panel
    status: Status
    replicates_text: str
    """The number of replicates that have run, as in '3 of 5 runs'; empty if none has."""
    cell: Cell
    """The experiment shown; of a search, the setting selected on dev."""
    group: RunGroup | None
    """The runs shown; None if there are none."""
    other_groups: tuple[tuple[str, RunGroup], ...]
    """The variant and the runs of groups that are only listed: fewer replicates, other data, another budget, or other
    settings of a search."""
    failures: tuple[Record, ...]
    """The records of failed runs."""
    selection: Selection | None = None
    """The settings of a search that the setting shown was selected from; None without a search or runs."""
    transfers: tuple[Record, ...] = ()
    """The records of transfer evaluations of the runs shown, the newest first."""
    genre: str | None = None
    """The genre whose examples are counted; None for all genres."""
    benchmark: Record | None = None
    """The newest benchmark of the memory of encoders, if there is one."""

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the runs shown."""
        return self.group.records if self.group else ()

    @property
    def deviations(self) -> tuple[str, ...]:
        """The deviations of the runs shown, and of their transfer evaluations, from the paper, each once; for counts
        alone, only those that can change a count."""
        own = self.group.deviations if self.group else ()
        if self.group and all(map(is_count, self.panel.metrics)):
            needless = training_deviations(self.group.records[0], self.cell)
            own = tuple(text for text in own if text not in needless)
        transfers = {transfer.id: transfer for _, transfer in self.runs_with_transfers}.values()
        return tuple(dict.fromkeys([*own, *(text for transfer in transfers for text in transfer_deviations(transfer))]))

    @property
    def reduced(self) -> bool:
        """True if the runs shown, or their transfer evaluations, had less data or training than the paper's."""
        return bool(self.group and self.group.reduced) or any(
            has_less_transfer_data(transfer) for _, transfer in self.runs_with_transfers
        )

    @property
    def overlap(self) -> float:
        """The ratio that `overlap_of_splits` defines if replicates share data: folds or random splits; else 0."""
        return overlap_of_splits(self.group.records[0]) if self.group else 0.0

    @property
    def runs_with_transfers(self) -> list[tuple[Record, Record]]:
        """Each run shown with each transfer record that a column takes a figure of it from."""
        return runs_with_transfers(self.records, self.panel.metrics, self.transfers)

    @property
    def evaluated_runs(self) -> int | None:
        """The number of runs shown that a transfer evaluation has figures of; None if no column shows such figures."""
        if not any(name.startswith(TRANSFER) for name in self.panel.metrics):
            return None
        return len({run.id for run, _ in self.runs_with_transfers})

    @property
    def shows_transfer_alone(self) -> bool:
        """True if all figures that need runs are of transfer evaluations."""
        return all(name.startswith(TRANSFER) or is_count(name) for name in self.panel.metrics)

    @property
    def groups_by_variant(self) -> tuple[tuple[str, RunGroup], ...]:
        """The group shown, followed by those that are only listed, each with the override that a search tries."""
        return (*([(self.cell.variant, self.group)] if self.group else []), *self.other_groups)

    @property
    def groups(self) -> tuple[RunGroup, ...]:
        """The group shown, followed by those that are only listed."""
        return tuple(group for _, group in self.groups_by_variant)

    @property
    def uncommitted_records(self) -> tuple[Record, ...]:
        """The records, also of groups that are only listed, of runs whose code had uncommitted changes."""
        return tuple(record for group in self.groups for record in group.records if record.uncommitted)

    @property
    def ids(self) -> list[str]:
        """The ids of the records of all groups, and of the subsets behind their figures."""
        records = [record for group in self.groups for record in group.records]
        return [*(record.id for record in records), *subsets.subsets_behind(records, self.panel.metrics)]

    def is_derived(self, column: Column) -> bool:
        """Return whether the figures of a column are on a derived subset of the test set instead of the published
        one."""
        return bool(self.group and subsets.is_derived(self.group.records, column.metric))

    def our_value(self, column: Column) -> Summary | None:
        """Return our figure in a column over replicates, or None if there is none."""
        return self.values_by_metric[column.metric]

    @cached_property
    def values_by_metric(self) -> dict[str, Summary | None]:
        """Our figure for each metric of the panel, computed once: a table is written in several formats."""
        return {name: self.value(name) for name in self.panel.metrics}

    def value(self, name: str) -> Summary | None:
        """Return our figure for one metric, or None if there is none.

        Sizes are counted without a run and memory comes from a benchmark; everything else comes from the runs shown.
        """
        if name.startswith(SIZE):
            return Summary((float(cached_size(self.cell.settings, name)),))
        if name.startswith(MEMORY):
            memory = encoder_memory.training_memory(self.benchmark, str(self.cell.settings.model["_target_"]), name)
            return None if memory is None else Summary((memory,))
        metric = f"{name}/{self.genre}" if self.genre and name.startswith(DATA) else name
        values = self.values_of(self.group, metric) if self.group else {}
        return Summary(tuple(values.values())) if values else None

    def best_of(self, metric: str, runs: int | None) -> Summary | None:
        """Return our best figures, each the best of `runs` runs; None if there are fewer runs.

        If `runs` is None, each is the best over the settings of the search, for one replicate.
        """
        lower = lower_is_better(metric)
        if runs is not None:
            ours = self.values_by_metric[metric]
            bests = bests_of_runs(ours.values if ours else (), runs, lower)
        else:
            settings = self.selection.comparable if self.selection else ()
            bests = bests_of_settings([self.values_of(group, metric) for group in settings], lower)
        return Summary(bests) if bests else None

    def values_of(self, group: RunGroup, metric: str) -> dict[int, float]:
        """Return the figure of each replicate of a group by its number, for the runs that have the figure."""
        number = self.panel.replicates.number
        runs = runs_with_times(group.records) if metric.startswith(COST) else group.records
        values_by_metric = {number(run.settings): metric_value(run, metric, self.transfers) for run in runs}
        return {replicate: value for replicate, value in values_by_metric.items() if value is not None}
