"""The page of hours: how long the runs of each table take on a processor."""

from collections.abc import Mapping, Sequence
from itertools import chain

from attest.reproduction.pages.numbers import MISSING, table_row
from attest.reproduction.plurals import counted
from attest.reproduction.tables.hours import RunTime, time_of_lines
from attest.reproduction.tables.table import Line, Table
from attest.reproduction.tables.times import used_gpu

INTRODUCTION = """\
# Hours of each table

How long the runs of a table take at the budget that the table asks for, one after another, on a machine such as that
of our records.

- "measured": a record has all steps. "predicted": the time of a step in shorter runs, times the table's steps.
- Runs that several rows of a table show count once for the table. Runs that several tables show count in each of these
  tables, and once in "All".
- Measured and predicted hours include evaluation. A prediction assumes that evaluation takes the same share of the time
  as in the records.
- Of several runs, the median counts, since some were made beside other programs or were paused.
- "not timed": runs of rows that have no record yet; their hours are missing in the other columns.
- Runs on a GPU do not count.
- Nearly all these runs had one thread, with another run or other work on the second core, and were in bf16. Two runs
  at a time therefore take about half of these hours. In fp32 a step takes about twice as long
  ([Benchmarks](benchmarks.md)).
- `attest plan disan/table1` prints the hours of each row, and takes the times of your own runs into account."""


def render_hours(tables: Sequence[Table]) -> str:
    """Return the page of all tables."""
    machines = sorted(set[str]().union(*map(machines_of, tables)))
    lines = {f"[{table.spec.name}]({table.spec.name}.md)": table.lines for table in tables}
    all_lines = list(chain.from_iterable(lines.values()))
    return "\n".join([
        INTRODUCTION, f"- Machines of the records: {'; '.join(machines) or MISSING}.", "",
        *time_rows(lines, "paper"), "", total_sentence(time_of_lines(all_lines, "paper")), "",
        "Made by `attest collate` from the records.", "",
    ])  # fmt: skip


def time_rows(lines: Mapping[str, Sequence[Line]], scale: str) -> list[str]:
    """Return a markdown table of times by name, with that of all, which counts runs that several names share once."""
    head = ["Table", "Runs", "Measured (h)", "Predicted (h)", "Not timed"]
    rows = [*lines.items(), ("All", list(chain.from_iterable(lines.values())))]
    cells = [[name, *time_cells(time_of_lines(these, scale))] for name, these in rows]
    return [table_row(head), table_row(["---", *["---:"] * 4]), *map(table_row, cells)]


def time_cells(time: RunTime) -> list[str]:
    """Return the number of runs, their hours in two columns, and the number of runs without a time."""
    untimed = time.runs - time.timed
    return [
        f"{time.runs:,}",
        hours(time.measured),
        hours(time.predicted),
        counted(untimed, "run") if untimed else "",
    ]


def total_sentence(time: RunTime) -> str:
    """Return a sentence on the hours of all runs with a time, with two digits, and on the number of the others."""
    total, untimed = float(f"{(time.measured + time.predicted) / 3600:.2g}"), time.runs - time.timed
    which, others = ("All timed runs", f"; {untimed:,} more are not timed") if untimed else ("All runs", "")
    return f"{which} together take about {total:,.0f} h{others}."


def hours(seconds: float) -> str:
    """Return seconds as hours with at most two digits before or one behind the point; empty for none."""
    if not seconds:
        return ""
    value = float(f"{seconds / 3600:.2g}")
    if value < 0.1:
        return "< 0.1"
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def machines_of(table: Table) -> set[str]:
    """Return the processors of the records behind a table, with their numbers of cores."""
    groups = chain.from_iterable(result.groups for line in table.lines for result in line.results)
    environments = [record.environment for group in groups for record in group.records if not used_gpu(record)]
    return {f"{known.get('processor', '?')}, {known.get('cores', '?')} cores" for known in environments}
