"""The page of hours: how long the runs of each table take on a CPU."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from attest.reproduction.pages.markdown_parts import table_row
from attest.reproduction.pages.numbers import MISSING
from attest.reproduction.plurals import pluralize
from attest.reproduction.tables.hours import RunTime, time_of_rows
from attest.reproduction.tables.table import RowResults, Table
from attest.reproduction.tables.timed_runs import used_gpu
from attest.runs.records import Record

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
- `attest plan disan/table1` prints the hours of each row, and takes the times of your own runs into account."""


def render_hours(tables: Sequence[Table]) -> str:
    """Return the page of all tables."""
    machines = sorted(set[str]().union(*map(machines_of, tables)))
    rows_of = {f"[{table.spec.name}]({table.spec.name}.md)": table.rows for table in tables}
    all_rows = list(chain.from_iterable(rows_of.values()))
    return "\n".join([
        INTRODUCTION, *conditions(tables), f"- Machines of the records: {'; '.join(machines) or MISSING}.", "",
        *time_rows(rows_of, "paper"), "", total_sentence(time_of_rows(all_rows, "paper")), "",
        "Made by `attest collate` from the records.", "",
    ])  # fmt: skip


def time_rows(rows_of: Mapping[str, Sequence[RowResults]], scale: str) -> list[str]:
    """Return a markdown table of times by name, with that of all, which counts runs that several names share once."""
    head = ["Table", "Runs", "Measured (h)", "Predicted (h)", "Not timed"]
    all_rows = list(chain.from_iterable(rows_of.values()))
    cells = [[name, *time_cells(time_of_rows(these, scale))] for name, these in [*rows_of.items(), ("All", all_rows)]]
    return [table_row(head), table_row(["---", *["---:"] * 4]), *map(table_row, cells)]


def time_cells(time: RunTime) -> list[str]:
    """Return the number of runs, their hours in two columns, and the number of runs without a time."""
    untimed = time.runs - time.timed
    return [
        f"{time.runs:,}",
        hours(time.measured),
        hours(time.predicted),
        pluralize(untimed, "run") if untimed else "",
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
    """Return the CPUs of the records behind a table, with their numbers of cores."""
    environments = [record.environment for record in cpu_records([table])]
    return {f"{known.get('processor', '?')}, {known.get('cores', '?')} cores" for known in environments}


def conditions(tables: Iterable[Table]) -> list[str]:
    """Return a bullet on the threads and number formats of the runs behind the tables; none if there are no runs."""
    records = cpu_records(tables)
    single = sum(record.environment.get("threads") == 1 for record in records)
    in_bf16 = sum(record.settings.get("trainer.precision") == "bf16" for record in records)
    text = (
        f"- Of the {pluralize(len(records), 'run')} behind these hours, {single:,} had one thread and {in_bf16:,} were "
        "in bf16. In fp32 a step takes about twice as long ([Benchmarks](benchmarks.md))."
    )
    return [text] if records else []


def cpu_records(tables: Iterable[Table]) -> list[Record]:
    """Return the records behind some tables, each once, without those of runs on a GPU."""
    results = chain.from_iterable(row.results for table in tables for row in table.rows)
    records = {record.id: record for result in results for group in result.groups for record in group.records}
    return [record for record in records.values() if not used_gpu(record)]
