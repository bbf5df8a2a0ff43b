"""The runs that encoders on the page of transfer come from, each with a table that shows or lists it."""

import re
from collections.abc import Iterable, Mapping

from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.run_groups import RunGroup
from attest.reproduction.tables.table import Table
from attest.runs.records import Record

PAPERS_TABLE = re.compile(r"/table\d+$")
"""The pattern of the name of a table that a paper prints: those without a number are ours."""
RunsById = Mapping[str, tuple[Record, str]]
"""The id of a run -> the run, and a table that shows it with its setting of a search: disan/table1, dropout=0.1."""
OTHER_RUNS, NOT_SELECTED = "other runs", "not selected"
"""The texts after the name of a table that lists a run below its rows and shows it in none: a run with other data or
another budget, and one with another setting of a search."""


def runs_by_id(tables: Iterable[Table]) -> RunsById:
    """Return the runs that tables show or list, each with the first of these tables.

    Tables of a paper come first, with those of their rows that the paper prints, and rows that show a run come before
    rows that only list it.
    """
    places: list[tuple[bool, bool, str, RunGroup]] = []
    for name, row in [(table.spec.name, row) for table in tables for row in table.rows]:
        is_ours = not (row.spec.paper and PAPERS_TABLE.search(name))
        for result in row.results:
            for variant, group in result.groups_by_variant:
                place = ", ".join(filter(None, [name, variant, unshown_text(result, variant, group)]))
                places.append((is_ours, group is not result.group, place, group))
    runs: dict[str, tuple[Record, str]] = {}
    for *_, place, group in sorted(places, key=lambda place: place[:2]):
        for run in group.records:
            runs.setdefault(run.id, (run, place))
    return runs


def unshown_text(result: PanelResult, variant: str, group: RunGroup) -> str:
    """Return how a group that a table lists differs from the one that it shows; empty for the group shown."""
    if result.group is None or group is result.group:
        return ""
    if variant != result.cell.variant:
        return NOT_SELECTED
    own = [text for text in group.deviations if text not in result.group.deviations]
    return f"{OTHER_RUNS}: {'; '.join(own)}" if own else OTHER_RUNS


def encoder_run(record: Record, runs: RunsById) -> tuple[Record, str] | None:
    """Return the run that the encoder comes from with its table; None if no table shows it."""
    return runs.get(record.parents[0]) if record.parents else None
