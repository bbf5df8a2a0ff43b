"""The records that belong to a cell, and their deviations from the paper.

A record belongs to a cell if its settings differ from the cell's in nothing but the budget: how much data, how many
steps, which file of vectors. Each such difference, and each missing row of data, is a deviation.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from attest.config.settings import Settings
from attest.reproduction.tables import budget, subsets
from attest.reproduction.tables.budget import budget_values, within_budget
from attest.reproduction.tables.cells import Cell
from attest.reproduction.tables.data_deviations import data_deviations, has_less_data, training_value
from attest.runs.records import Record


@dataclass(frozen=True)
class Group:
    """The records of one experiment on one state of the data: replicates that may be averaged."""

    records: tuple[Record, ...]
    """One record for each replicate, sorted by replicate."""
    deviations: tuple[str, ...]
    repeats: tuple[Record, ...] = ()
    """Further records of replicates in `records`. They enter no figure: one seed is no second replicate."""
    reduced: bool = False
    """Whether the runs had less data, fewer steps or fewer word vectors than the paper's."""
    longer: bool = False
    """Whether the runs trained longer than the table asks for, as runs of another table may."""

    def rank(self, wanted: int, published: Collection[str] = ()) -> tuple[bool, bool, int, float, int, int, str]:
        """Return a sort key: published groups first, then those that are no longer than the table asks for, then those
        with most of the `wanted` replicates, then those with most training data, fewest deviations and most steps.

        `published` are the ids of the tracked records. A quick run thus does not displace a finished experiment.
        """
        first = self.records[0]
        is_published = any(record.id in published for record in self.records)
        used = training_value(first.data["splits"], {}).get("labelled", 0)
        steps = max((point["step"] for point in first.curve), default=0)
        replicates = self.complete_replicates(wanted)
        return not is_published, self.longer, -replicates, -used, len(self.deviations), -steps, first.id

    def complete_replicates(self, wanted: int) -> int:
        """Return how many of the `wanted` replicates have run; more than these gain nothing."""
        return min(len(self.records), wanted)


INDEX_KEYS = ("dataset.name", "model._target_", "head._target_", "optimizer._target_")
"""The dotted keys by which records are indexed: they differ between most experiments, and no budget changes them."""


class RecordIndex:
    """An index of records by a few settings, so that a cell is compared only with records that it may match."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.by_kind: dict[str, list[Record]] = defaultdict(list)
        """All records, those of training and of other kinds."""
        self.by_settings: dict[tuple[Any, ...], list[tuple[int, Record]]] = defaultdict(list)
        self.incomplete: list[tuple[int, Record]] = []
        """The records that lack one of INDEX_KEYS: its default depends on the cell, so every cell may match."""
        for record in records:
            self.by_kind[record.kind].append(record)
        for number, record in enumerate(self.by_kind["train"]):
            whole = all(key in record.settings for key in INDEX_KEYS)
            key = tuple(record.settings.get(key) for key in INDEX_KEYS)
            (self.by_settings[key] if whole else self.incomplete).append((number, record))

    def candidates(self, cell: Cell) -> list[Record]:
        """Return every record that may match the cell, in the order of the records."""
        key = tuple(cell.shared_settings.get(key) for key in INDEX_KEYS)
        numbered_records = [*self.by_settings.get(key, ()), *self.incomplete]
        return [record for _, record in sorted(numbered_records, key=itemgetter(0))]

    def matching(self, cell: Cell, status: str) -> Iterator[Record]:
        """Yield the records with the given status that belong to the cell, whatever their budget."""
        return matching_records(cell, self.candidates(cell), status)


def groups(cell: Cell, records: Iterable[Record]) -> list[Group]:
    """Return the groups of finished records that belong to a cell."""
    by_data_and_budget: dict[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in matching_records(cell, records, "done"):
        by_data_and_budget[data_and_budget(cell, record)].append(record)
    return [group_of(cell, runs) for runs in by_data_and_budget.values()]


def data_and_budget(cell: Cell, record: Record) -> tuple[str, ...]:
    """Return the state of the data and the budget of a run, which are equal for runs that may be averaged."""
    budget = (f"{key}={record.settings.get(key)}" for key in sorted(changed_settings(cell, record)))
    return record.fingerprint, *budget


def group_of(cell: Cell, runs: Iterable[Record]) -> Group:
    """Return the group of one experiment's records.

    Of several records of a replicate, the first finished counts, and one of committed code before all others.
    """
    number = cell.panel.replicates.number
    ordered = sorted(runs, key=lambda run: (number(run.settings), run.uncommitted, run.finished, run.id))
    counted: dict[int, Record] = {}
    for record in ordered:
        counted.setdefault(number(record.settings), record)
    repeats = [record for record in ordered if counted[number(record.settings)] is not record]
    records = tuple(counted.values())
    deviations = (*run_deviations(records[0], cell), *subsets.subset_deviations(records, cell.panel.metrics))
    actual, wanted = cell.settings_of(records[0]), cell.shared_settings
    shorter, longer = budget.is_shorter(actual, wanted), budget.is_shorter(wanted, actual)
    in_paper = any(budget.is_below(actual.get(key), value) for key, value in cell.panel.paper_budget.items())
    reduced = shorter or in_paper or (cell.settings.scale == "paper" and has_less_data(records[0].data, wanted))
    return Group(records, deviations, tuple(repeats), reduced, longer and not shorter)


def matching_records(cell: Cell, records: Iterable[Record], status: str) -> Iterator[Record]:
    """Yield the records with the given status that belong to a cell, whatever their budget.

    A run of one step has learnt nothing and is there for its counts of the data: it belongs only to cells that ask for
    one step.
    """
    current, key = cell.versions, cell.panel.replicates.key
    known: dict[frozenset[tuple[str, Any]], bool] = {}
    for record in records:
        comparable = (record.kind, record.status, record.versions) == ("train", status, current)
        if not comparable or record.settings.get(key) is None:
            continue
        items = record.items_without(key)
        if items not in known:
            known[items] = has_matching_settings(cell, record)
        if known[items]:
            yield record


def has_matching_settings(cell: Cell, record: Record) -> bool:
    """Return whether the settings of a record, its replicate aside, differ from the cell's in the budget alone."""
    if record.settings.get("protocol.steps") == 1 != cell.shared_settings.get("protocol.steps"):
        return False
    changed = changed_settings(cell, record)
    if cell.fixed_vectors and "vectors.file" in changed:
        return False
    return within_budget(changed, cell.shared_settings, cell.settings_of(record), budget_values(Settings))


def changed_settings(cell: Cell, record: Record) -> set[str]:
    """Return the keys of the settings in which a record differs from the cell."""
    shared, actual, defaults = cell.shared_settings, record.settings, cell.defaults
    unequal = {key for key, _ in record.setting_items - cell.shared_items} - {cell.panel.replicates.key}
    missing = cell.keys_not_at_default - actual.keys()
    return {key for key in unequal | missing if shared.get(key) != actual.get(key, defaults.get(key))}


def run_deviations(record: Record, cell: Cell) -> tuple[str, ...]:
    """Return the deviations of a run from the paper, as texts: settings with other values, and missing data."""
    actual, wanted = cell.settings_of(record), cell.shared_settings
    texts = [
        f"{key} {format_setting(actual.get(key))} instead of {format_setting(value)}"
        for key, value in sorted(wanted.items())
        if actual.get(key) != value
    ]
    if cell.settings.scale == "paper":
        texts = [*data_deviations(record.data, wanted), *texts]
    texts += [
        f"{key} {actual[key]:,.10g} instead of {value:,.10g} (the paper's experiment)"
        for key, value in cell.panel.paper_budget.items()
        if budget.is_below(actual.get(key), value)
    ]
    return tuple(texts)


def format_setting(value: Any) -> str:
    """Return the text of a setting's value."""
    return "null" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def best_variant(variants: Sequence[tuple[Cell, Group]], metric: str) -> tuple[Cell, Group]:
    """Return the cell and the runs of a search with the highest mean of `metric`, a metric of the dev set."""
    return max(variants, key=lambda pair: sum(r.metrics[metric] for r in pair[1].records) / len(pair[1].records))
