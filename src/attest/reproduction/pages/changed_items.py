"""The test items whose prediction differs between runs, as text."""

from collections.abc import Sequence

from attest.reproduction.pages.text_table import TextTable
from attest.reproduction.tables.changed_items import ChangedItems
from attest.reproduction.tables.sweeps import SweepTable

HOW_TO_READ = (
    'Each line compares a run with that of the first row that has the same seed or fold. "Only first right" and '
    '"only this right" count items that one of the two runs alone has right.'
)
GRADES = "Predicted scores are rounded to whole grades."


def count_table(table: SweepTable, changes: Sequence[ChangedItems]) -> TextTable:
    """Return how many predictions each pair of runs has changed."""
    head = [*table.axes, table.replicates, "changed", "of", "only first right", "only this right"]
    rows = [
        [
            *change.row.values,
            change.replicate,
            f"{int(change.changed_N.sum()):,}",
            f"{len(change.rows_N):,}",
            f"{change.lost:,}",
            f"{change.gained:,}",
        ]
        for change in changes
    ]
    return TextTable(head, rows, len(table.axes) + 1)


def item_table(changes: Sequence[ChangedItems]) -> TextTable:
    """Return each changed prediction: the item's row in the official file, its gold value and both predictions."""
    head = ["first run", "run", "official row", "gold", "predicted by the first run", "predicted by the run"]
    rows = []
    for change in changes:
        names = change.first.settings.get("dataset.labels") or ()
        for place in change.changed_N.nonzero()[0].tolist():
            values = (int(values_N[place]) for values_N in (change.gold_N, change.first_N, change.second_N))
            texts = (str(names[value]) if 0 <= value < len(names) else str(value) for value in values)
            rows.append([change.first.id, change.second.id, str(int(change.rows_N[place])), *texts])
    return TextTable(head, rows, 2)
