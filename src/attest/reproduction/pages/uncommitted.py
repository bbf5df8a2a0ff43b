"""The mark of runs whose code had uncommitted changes."""

from attest.reproduction.tables.run_groups import RunGroup
from attest.runs.records import Record

UNCOMMITTED = "uncommitted"
"""The mark of a run in pages and lists."""


def id_with_status(record: Record, quote: str = "`") -> str:
    """Return the id of a record between quotes, with the mark if its code had uncommitted changes."""
    return f"{quote}{record.id}{quote}" + (f" ({UNCOMMITTED})" if record.uncommitted else "")


def count_uncommitted(group: RunGroup | None) -> str:
    """Return the number of marked runs in a group, such as "2 uncommitted"; empty if there is none."""
    number = sum(record.uncommitted for record in group.records) if group else 0
    return f"{number} {UNCOMMITTED}" if number else ""
