"""The figures, records and commands behind a table, for people."""

from collections.abc import Iterator

from attest.reproduction.pages.numbers import in_print, in_unit, unit_of
from attest.reproduction.tables.build import Line, PanelResult, Table
from attest.runs.records import Record


def show(table: Table, row: str | None = None) -> str:
    lines = [line for line in table.lines if row in (None, line.name) and not line.cited]
    return "\n".join(text for line in lines for text in describe(table, line))


def describe(table: Table, line: Line) -> Iterator[str]:
    yield f"{line.name}: {line.row.title}"
    for result in line.panels:
        if len(line.panels) > 1:
            yield f"  {result.panel.title}"
        yield f"  status      {result.status}" + (f", {result.replicates}" if result.replicates else "")
        yield from figures(table, line, result)
        yield from runs(table, result)
    if any(result.group is None for result in line.panels):
        yield f"  to run it   attest reproduce {table.spec.name} scale={table.scale} rows={line.name}"
    yield ""


def figures(table: Table, line: Line, result: PanelResult) -> Iterator[str]:
    """Ours and the paper's."""
    for name, column in result.panel.columns.items():
        ours, printed = result.ours(column), table.printed(line, name)
        if ours is not None or printed is not None:
            mine = "-" if ours is None else in_unit(ours, column, table.scale)
            unit = unit_of(column, table.scale)
            paper = f"   paper {in_print(printed)}" if printed else ""
            found = line.finding(name, column) if table.shows_paper else None
            yield f"  {table.titled(column):<11} {mine} {unit}".rstrip() + paper + (f"   {found}" if found else "")


def runs(table: Table, result: PanelResult) -> Iterator[str]:
    """What was run, what else was run, and what failed."""
    replicates = result.panel.replicates
    if result.cell.variant:
        yield f"  chosen      {result.cell.variant}"
    for deviation in result.deviations:
        yield f"  deviation   {deviation}"
    for record in result.group.records if result.group else ():
        yield f"  run {record.id}  {command(record, result, table)}"
    for variant, group in result.other_groups:
        name = variant or "other runs"
        yield f"  also        {name}: {len(group.records)} run(s), {'; '.join(group.deviations) or 'no deviations'}"
        for record in group.records:
            yield f"    run {record.id}  {replicates.named(record.settings)}{on_dev(record, result)}"
    for record in result.failures:
        yield f"  failed      {record.id} {replicates.named(record.settings)}: {record.reason}"


def on_dev(record: Record, result: PanelResult) -> str:
    """What was reached on the dev set, by the first figure of the table that it has too."""
    for column in result.panel.columns.values():
        measured = column.metric.replace("test/", "dev/")
        if measured != column.metric and measured in record.metrics:
            return f"  dev {record.metrics[measured]:.{column.decimals}f}"
    return ""


def command(record: Record, result: PanelResult, table: Table) -> str:
    """What makes this run again."""
    settings = [text for text in result.cell.overrides if not text.startswith("label.")]
    which = result.panel.replicates.named(record.settings)
    return "attest train " + " ".join([*settings, f"scale={table.scale}", which, *budget_of(record, result)])


def budget_of(record: Record, result: PanelResult) -> Iterator[str]:
    actual = result.cell.settings_of(record)
    for key, wanted in sorted(result.cell.shared_settings.items()):
        value = actual.get(key)
        if value != wanted:
            yield f"{key}={'null' if value is None else value}"
