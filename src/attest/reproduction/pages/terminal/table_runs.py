"""The runs behind a table as text for the terminal: figures, records and commands."""

from collections.abc import Iterator

from attest.errors import escape_unprintable
from attest.reproduction.commands_to_type import reproduce_command, retry_command, train_command
from attest.reproduction.pages.numbers import displayed_unit, format_printed, format_summary
from attest.reproduction.pages.other_runs import describe_group
from attest.reproduction.pages.replicates import replicates_text
from attest.reproduction.pages.uncommitted import UNCOMMITTED
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import RowResults, Table
from attest.runs.records import Record


def render_runs(table: Table, only: str | None = None) -> str:
    """Return the figures, runs and commands of each row that we run, or of the row `only`, below the scale shown."""
    other = "mini" if table.scale == "paper" else "paper"
    head = f"{table.spec.title} (scale={table.scale}; type scale={other} for the other scale)\n"
    rows = [row for row in table.rows if only in (None, row.name) and not row.is_cited]
    return "\n".join([head, *(text for row in rows for text in row_lines(table, row))])


def row_lines(table: Table, row: RowResults) -> Iterator[str]:
    """Yield the lines of one row: status, figures and runs of each panel, and what to type if one has not run."""
    yield f"{row.name}: {row.spec.title}"
    for result in row.results:
        if len(row.results) > 1:
            yield f"  {result.panel.title}"
        runs_text = replicates_text(result)
        yield f"  status      {result.status}" + (f", {runs_text}" if runs_text else "")
        yield from figure_lines(table, row, result)
        yield from run_lines(table, result)
    if any(result.uncommitted_records for result in row.results):
        yield f"  {UNCOMMITTED}: no commit holds the code of these runs; {retry_command(table)} retrains them"
    if any(result.group is None for result in row.results):
        yield f"  to run it   {reproduce_command(table, [row.name])}"
    yield ""


def figure_lines(table: Table, row: RowResults, result: PanelResult) -> Iterator[str]:
    """Yield a line for each column that has our figure or the paper's."""
    for name, column in result.panel.columns.items():
        ours, printed = result.our_value(column), table.printed_value(row, name)
        if ours is not None or printed is not None:
            mine = "-" if ours is None else format_summary(ours, column, table.scale)
            unit = displayed_unit(column, table.scale)
            paper = f"   paper {format_printed(printed)}" if printed else ""
            finding = row.finding(name, column) if table.shows_paper else None
            yield (
                f"  {table.column_title(column):<11} {mine} {unit}".rstrip()
                + paper
                + (f"   {finding}" if finding else "")
            )


def run_lines(table: Table, result: PanelResult) -> Iterator[str]:
    """Yield the lines of the runs shown, with their commands, of other groups of runs, and of failures."""
    replicates = result.panel.replicates
    if result.cell.variant:
        yield f"  chosen      {result.cell.variant}"
    for deviation in result.deviations:
        yield f"  deviation   {deviation}"
    for record in result.records:
        yield f"  run {record.id}  {train_command(record, result.cell)}{uncommitted_suffix(record)}"
    for record in result.group.repeats if result.group else ():
        yield f"  repeated    {record.id} {replicates.override_of(record.settings)}: a second record, not counted"
    for variant, group in result.other_groups:
        name = f"{variant}: " if variant else ""
        yield f"  also        {name}{describe_group(table, result, group)}"
        for record in group.records:
            which = replicates.override_of(record.settings)
            yield f"    run {record.id}  {which}{format_dev(record, result)}{uncommitted_suffix(record)}"
    for record in result.failures:
        reason = escape_unprintable(record.reason)
        yield f"  failed      {record.id} {replicates.override_of(record.settings)}: {reason}"
        yield f"    to repeat it  {train_command(record, result.cell)}"


def uncommitted_suffix(record: Record) -> str:
    """Return the word behind a run whose code had uncommitted changes; empty for another run."""
    return f"  {UNCOMMITTED}" if record.uncommitted else ""


def format_dev(record: Record, result: PanelResult) -> str:
    """Return the dev figure of a run as text, for the first column with a dev figure; empty if there is none."""
    for column in result.panel.columns.values():
        measured = column.metric.replace("test/", "dev/")
        if measured != column.metric and measured in record.metrics:
            return f"  dev {record.metrics[measured]:.{column.decimals}f}"
    return ""
