"""The mark of runs whose code had uncommitted changes, and the command that makes them again."""

from attest.reproduction.specs.added_rows import added_rows_words
from attest.reproduction.tables.groups import Group
from attest.reproduction.tables.table import Table
from attest.runs.records import Record

UNCOMMITTED = "uncommitted"
"""The mark of a run in pages and lists."""


def marked_id(record: Record, quote: str = "`") -> str:
    """Return the id of a record between quotes, with the mark if its code had uncommitted changes."""
    return f"{quote}{record.id}{quote}" + (f" ({UNCOMMITTED})" if record.uncommitted else "")


def count_uncommitted(group: Group | None) -> str:
    """Return the number of marked runs in a group, such as "2 uncommitted"; empty if there is none."""
    number = sum(record.uncommitted for record in group.records) if group else 0
    return f"{number} {UNCOMMITTED}" if number else ""


def again_command(table: Table) -> str:
    """Return the command that makes the marked runs of a table again."""
    words = [table.spec.name, *added_rows_words(table.spec), f"scale={table.scale}", "again=uncommitted"]
    return " ".join(["attest reproduce", *words])
