"""The runs behind a table as text for the terminal: figures, records and commands."""

from collections.abc import Iterator

from attest.config.shell_command import shell_command
from attest.errors import escape_unprintable
from attest.reproduction.pages.numbers import displayed_unit, format_printed, format_summary
from attest.reproduction.pages.other_runs import describe_group
from attest.reproduction.pages.replicates import replicates_text
from attest.reproduction.pages.uncommitted import UNCOMMITTED, again_command
from attest.reproduction.specs.added_rows import ADDED_ROWS_KEY, is_added
from attest.reproduction.tables.cells import Cell, repeat_overrides
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Line, Table
from attest.runs.records import Record


def render_runs(table: Table, row: str | None = None) -> str:
    """Return the figures, runs and commands of each row that we run, or of one row, below the scale that is shown."""
    other = "mini" if table.scale == "paper" else "paper"
    head = f"{table.spec.title} (scale={table.scale}; type scale={other} for the other scale)\n"
    lines = [line for line in table.lines if row in (None, line.name) and not line.cited]
    return "\n".join([head, *(text for line in lines for text in row_lines(table, line))])


def row_lines(table: Table, line: Line) -> Iterator[str]:
    """Yield the lines of one row: status, figures and runs of each panel, and what to type if one has not run."""
    yield f"{line.name}: {line.row.title}"
    for result in line.results:
        if len(line.results) > 1:
            yield f"  {result.panel.title}"
        counted = replicates_text(result)
        yield f"  status      {result.status}" + (f", {counted}" if counted else "")
        yield from figure_lines(table, line, result)
        yield from run_lines(table, result)
    if any(result.uncommitted for result in line.results):
        yield f"  {UNCOMMITTED}: no commit holds the code of these runs; {again_command(table)} makes them again"
    if any(result.group is None for result in line.results):
        wanted = f"'{ADDED_ROWS_KEY}={line.name}'" if is_added(line.name) else f"rows={line.name}"
        yield f"  to run it   attest reproduce {table.spec.name} scale={table.scale} {wanted}"
    yield ""


def figure_lines(table: Table, line: Line, result: PanelResult) -> Iterator[str]:
    """Yield a line for each column that has our figure or the paper's."""
    for name, column in result.panel.columns.items():
        ours, printed = result.ours(column), table.printed(line, name)
        if ours is not None or printed is not None:
            mine = "-" if ours is None else format_summary(ours, column, table.scale)
            unit = displayed_unit(column, table.scale)
            paper = f"   paper {format_printed(printed)}" if printed else ""
            finding = line.finding(name, column) if table.shows_paper else None
            yield f"  {table.titled(column):<11} {mine} {unit}".rstrip() + paper + (f"   {finding}" if finding else "")


def run_lines(table: Table, result: PanelResult) -> Iterator[str]:
    """Yield the lines of the runs shown, with their commands, of other groups of runs, and of failures."""
    replicates = result.panel.replicates
    if result.cell.variant:
        yield f"  chosen      {result.cell.variant}"
    for deviation in result.deviations:
        yield f"  deviation   {deviation}"
    for record in result.records:
        yield f"  run {record.id}  {train_command(record, result.cell)}{mark(record)}"
    for record in result.group.repeats if result.group else ():
        yield f"  repeated    {record.id} {replicates.override_of(record.settings)}: a second record, not counted"
    for variant, group in result.other_groups:
        name = f"{variant}: " if variant else ""
        yield f"  also        {name}{describe_group(table, result, group)}"
        for record in group.records:
            which = replicates.override_of(record.settings)
            yield f"    run {record.id}  {which}{format_dev(record, result)}{mark(record)}"
    for record in result.failures:
        reason = escape_unprintable(record.reason)
        yield f"  failed      {record.id} {replicates.override_of(record.settings)}: {reason}"
        yield f"    to repeat it  {train_command(record, result.cell)}"


def mark(record: Record) -> str:
    """Return the mark of a run whose code had uncommitted changes; empty for another run."""
    return f"  {UNCOMMITTED}" if record.uncommitted else ""


def format_dev(record: Record, result: PanelResult) -> str:
    """Return the dev figure of a run as text, for the first column with a dev figure; empty if there is none."""
    for column in result.panel.columns.values():
        measured = column.metric.replace("test/", "dev/")
        if measured != column.metric and measured in record.metrics:
            return f"  dev {record.metrics[measured]:.{column.decimals}f}"
    return ""


def train_command(record: Record, cell: Cell) -> str:
    """Return the command that repeats a run of a cell, quoted for a shell."""
    settings = [text for text in cell.overrides if not text.startswith("label.")]
    overrides = [*settings, f"scale={cell.settings.scale}", *repeat_overrides(record, cell)]
    return shell_command("train", *overrides)
