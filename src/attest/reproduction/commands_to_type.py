"""The commands that pages and lists name: they show, train or retry the runs of a table."""

from collections.abc import Sequence

from attest.config.shell_command import shell_command
from attest.reproduction.specs.added_rows import ADDED_ROWS_KEY, added_rows_words, is_added
from attest.reproduction.tables.cells import Cell, repeat_overrides
from attest.reproduction.tables.table import Table
from attest.runs.records import Record


def show_command(table: Table) -> str:
    """Return the command that lists the runs of a table at its scale; without a scale, it is that of the paper."""
    scale = [f"scale={table.scale}"] * (table.scale != "paper")
    return " ".join(["attest show", table.spec.name, *added_rows_words(table.spec), *scale])


def reproduce_command(table: Table, rows: Sequence[str]) -> str:
    """Return the command that trains the missing runs of some rows of a table, or of one row that a command added."""
    wanted = f"'{ADDED_ROWS_KEY}={rows[0]}'" if is_added(rows[0]) else f"rows={','.join(rows)}"
    return f"attest reproduce {table.spec.name} scale={table.scale} {wanted}"


def retry_command(table: Table) -> str:
    """Return the command that retrains the runs of a table whose code had uncommitted changes."""
    words = [table.spec.name, *added_rows_words(table.spec), f"scale={table.scale}", "again=uncommitted"]
    return " ".join(["attest reproduce", *words])


def train_command(record: Record, cell: Cell) -> str:
    """Return the command that repeats a run of a cell, quoted for a shell."""
    settings = [text for text in cell.overrides if not text.startswith("label.")]
    overrides = [*settings, f"scale={cell.settings.scale}", *repeat_overrides(record, cell)]
    return shell_command("train", *overrides)
