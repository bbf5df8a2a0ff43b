"""The rows of tables that a run belongs to."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

from attest.config.error_words import did_you_mean
from attest.config.settings import Label
from attest.config.yaml_files import check_name
from attest.errors import SettingsError
from attest.reproduction.specs.added_rows import is_added, with_rows
from attest.reproduction.specs.table import TableSpec, load_table, table_names
from attest.reproduction.tables.cells import Cell, cells
from attest.reproduction.tables.matching import RecordIndex, matching_records
from attest.runs.records import Record


def labelled_cell(record: Record) -> Cell | None:
    """Return the cell of the table and row that a run of training was started for, or None if there is none."""
    if record.kind != "train" or record.label.table not in table_names():
        return None
    row, scale = record.label.row, str(record.settings["scale"])
    try:
        spec = labelled_table(record.label.table, row)
        wanted = cells(spec, scale, [row]) if row in spec.run_rows else []
    except SettingsError:  # the row has settings of a folder of the user's own that is not named now
        return None
    return next((cell for cell in wanted if any(matching_records(cell, [record], record.status))), None)


def check_label(label: Label) -> None:
    """Raise SettingsError if a label names a table that does not exist, or a row that this table does not run."""
    if not label.table:
        return
    check_name(label.table, table_names(), "label.table: there is no such table")
    spec = labelled_table(label.table, label.row)
    if label.row not in spec.run_rows:
        raise SettingsError(
            f"label.row: {label.table} runs no row {label.row}.{did_you_mean(label.row, spec.run_rows)} To add a row "
            f"of yours, type attest reproduce {label.table} with=model=NAME"
        )


def labelled_table(name: str, row: str) -> TableSpec:
    """Return the table of this name, with the row if it is one that a command added."""
    return with_rows(load_table(name), row) if is_added(row) else load_table(name)


def cells_of(record: Record) -> Iterator[tuple[str, Cell]]:
    """Yield the name of each table and each of its cells that a run of training belongs to.

    Runs on built-in corpora are looked for in the table alone that they were started for, if they name one: composing
    the cells of all tables takes long.
    """
    if record.kind != "train":
        return
    scale, labelled, index = str(record.settings.get("scale", "paper")), record.label.table, RecordIndex([record])
    for name in table_names() if scale == "paper" else {labelled} & {*table_names()}:
        for cell in cells_at(name, scale, record.label.row if name == labelled else ""):
            if any(index.matching(cell, record.status)):
                yield name, cell


@cache
def cells_at(name: str, scale: str, row: str = "") -> Sequence[Cell]:
    """Return the cells of a table at a scale, with those of the row if it is one that a command added.

    A row whose settings are in a folder of the user's own that is not named now is left out.
    """
    if is_added(row):
        with suppress(SettingsError):
            return cells(labelled_table(name, row), scale)
    return cells(load_table(name), scale)
