"""The rows of tables that a run belongs to."""

from collections.abc import Iterator, Sequence
from functools import cache

from attest.reproduction.specs.table import load, names
from attest.reproduction.tables.cells import Cell, cells
from attest.reproduction.tables.matching import RecordIndex, matching_records
from attest.runs.records import Record


def labelled_cell(record: Record) -> Cell | None:
    """Return the cell of the table and row that a run of training was started for, or None if there is none."""
    if record.kind != "train" or record.label.table not in names():
        return None
    spec = load(record.label.table)
    rows = [record.label.row] if record.label.row in spec.ours else []
    wanted = cells(spec, str(record.settings["scale"]), rows) if rows else []
    return next((cell for cell in wanted if any(matching_records(cell, [record], record.status))), None)


def cells_of(record: Record) -> Iterator[tuple[str, Cell]]:
    """Yield the name of each table and each of its cells that a run of training belongs to.

    Runs on built-in corpora are looked for in the table alone that they were started for, if they name one: composing
    the cells of all tables takes long.
    """
    if record.kind != "train":
        return
    scale, labelled, index = str(record.settings.get("scale", "paper")), record.label.table, RecordIndex([record])
    for name in names() if scale == "paper" else {labelled} & {*names()}:
        for cell in cells_at(name, scale):
            if any(index.matching(cell, record.status)):
                yield name, cell


@cache
def cells_at(name: str, scale: str) -> Sequence[Cell]:
    """Return the cells of a table at a scale, which are the same for every record."""
    return cells(load(name), scale)
