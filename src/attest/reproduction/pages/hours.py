"""The page of hours: how long the runs of each table take on a processor."""

from collections.abc import Iterable, Mapping

from attest.reproduction.pages.numbers import MISSING, table_row
from attest.reproduction.tables.hours import RunTime, time_of_lines
from attest.reproduction.tables.table import Table

INTRODUCTION = """\
# Hours of each table

How long the runs of a table take at the papers' budget, one after another, on a machine such as that of our records.

- "measured": a record has all steps. "predicted": the time of a step in shorter runs, times the paper's steps.
- Both include evaluation, which is taken to need the share of the time that it needs in the records.
- Of several runs, the median counts, since some were made beside other programs or were paused.
- "not timed": runs of rows that have no record yet; their hours are missing in the other columns.
- Hours on a GPU are not measured: none of our records was computed on one.
- `attest plan disan/table1` prints the hours of each row, and takes the times of your own runs into account."""


def render_hours(tables: Iterable[Table]) -> str:
    """Return the page of all tables."""
    machines = sorted({machine_of(table) for table in tables} - {""})
    times = {f"[{table.spec.name}]({table.spec.name}.md)": time_of_lines(table.lines, table.scale) for table in tables}
    return "\n".join([INTRODUCTION, f"- Machines of the records: {'; '.join(machines) or MISSING}.", "",
                      *time_rows("Table", times), "", "Made by `attest collate` from the records.", ""])  # fmt: skip


def render_table_hours(table: Table) -> str:
    """Return the hours of each row of a table that we run, as a markdown table."""
    times = {line.name: time_of_lines([line], table.scale) for line in table.lines if not line.cited}
    return "\n".join(time_rows("Row", times))


def time_rows(heading: str, times: Mapping[str, RunTime]) -> list[str]:
    """Return a markdown table of times by name, with their sum."""
    head = [heading, "Runs", "Measured (h)", "Predicted (h)", "Not timed"]
    total = sum(times.values(), RunTime())
    rows = [[name, *time_cells(time)] for name, time in [*times.items(), ("All", total)]]
    return [table_row(head), table_row(["---", *["---:"] * 4]), *map(table_row, rows)]


def time_cells(time: RunTime) -> list[str]:
    """Return the number of runs, their hours in two columns, and the number of runs without a time."""
    untimed = time.runs - time.timed
    return [f"{time.runs:,}", hours(time.measured), hours(time.predicted), f"{untimed} runs" if untimed else ""]


def hours(seconds: float) -> str:
    """Return seconds as hours with two significant digits; empty for none."""
    if not seconds:
        return ""
    value = float(f"{seconds / 3600:.2g}")
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def machine_of(table: Table) -> str:
    """Return the processor of the first record behind a table, and its number of cores; empty if there is none."""
    for line in table.lines:
        for result in line.panels:
            for group in result.groups:
                environment = group.records[0].environment
                return f"{environment.get('processor', '?')}, {environment.get('cores', '?')} cores"
    return ""
