"""The records that belong to a cell.

A record belongs to a cell if its settings differ from the cell's only as `allowed_deviations` permits: in how much
data, how many steps, which file of vectors. Each such difference, and each missing row of data, is a deviation.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from attest.config.settings import Settings
from attest.reproduction.tables.allowed_deviations import allowed_deviations, differs_only_as_allowed
from attest.reproduction.tables.cells import Cell
from attest.runs.records import Record

INDEX_KEYS = ("dataset.name", "model._target_", "head._target_", "optimizer._target_")
"""The dotted keys by which records are indexed: they differ between most experiments, and runs may not deviate in
them."""


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
        """Yield the records with the given status that belong to the cell, with any allowed deviations."""
        return matching_records(cell, self.candidates(cell), status)


def matching_records(cell: Cell, records: Iterable[Record], status: str) -> Iterator[Record]:
    """Yield the records with the given status that belong to a cell, with any allowed deviations.

    A run of one step has learnt nothing and is there for its counts of the data: it belongs only to cells that ask for
    one step.
    """
    current, key = cell.versions, cell.panel.replicates.key
    for record in records:
        comparable = (record.kind, record.status, record.versions) == ("train", status, current)
        if not comparable or record.settings.get(key) is None:
            continue
        if has_matching_settings(cell, record):
            yield record


def has_matching_settings(cell: Cell, record: Record) -> bool:
    """Return whether the settings of a record, its replicate aside, differ from the cell's only as allowed."""
    if record.settings.get("protocol.steps") == 1 != cell.shared_settings.get("protocol.steps"):
        return False
    changed = changed_settings(cell, record)
    if any(f"{key}.".startswith(f"{fixed}.") for key in changed for fixed in cell.fixed):
        return False
    return differs_only_as_allowed(
        changed, cell.shared_settings, cell.settings_of(record), allowed_deviations(Settings)
    )


def changed_settings(cell: Cell, record: Record) -> set[str]:
    """Return the keys of the settings in which a record differs from the cell."""
    shared, actual, defaults = cell.shared_settings, record.settings, cell.defaults
    unequal = {key for key, _ in record.setting_items - cell.shared_items} - {cell.panel.replicates.key}
    missing = cell.keys_not_at_default - actual.keys()
    return {key for key in unequal | missing if shared.get(key) != actual.get(key, defaults.get(key))}
