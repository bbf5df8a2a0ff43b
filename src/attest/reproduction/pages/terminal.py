"""The figures, records and commands behind a table, for people."""

from collections.abc import Iterator

from attest.reproduction.pages.numbers import in_print, in_unit, unit_of
from attest.reproduction.tables.build import Line, Part, Table
from attest.runs.records import Record


def show(table: Table, row: str | None = None) -> str:
    lines = [line for line in table.lines if row in (None, line.name) and not line.cited]
    return "\n".join(text for line in lines for text in describe(table, line))


def describe(table: Table, line: Line) -> Iterator[str]:
    yield f"{line.name}: {line.row.title}"
    for part in line.parts:
        if len(line.parts) > 1:
            yield f"  {part.panel.title}"
        yield f"  status      {part.status}" + (f", {part.replicates}" if part.replicates else "")
        yield from figures(table, line, part)
        yield from runs(table, part)
    if any(part.group is None for part in line.parts):
        yield f"  to run it   attest reproduce {table.spec.name} scale={table.scale} rows={line.name}"
    yield ""


def figures(table: Table, line: Line, part: Part) -> Iterator[str]:
    """Ours and the paper's."""
    for name, column in part.panel.columns.items():
        ours, printed = part.ours(column), table.printed(line, name)
        if ours is not None or printed is not None:
            mine = "-" if ours is None else in_unit(ours, column, table.scale)
            unit = unit_of(column, table.scale)
            paper = f"   paper {in_print(printed)}" if printed else ""
            found = line.finding(name, column) if table.shows_paper else None
            yield f"  {table.titled(column):<11} {mine} {unit}".rstrip() + paper + (f"   {found}" if found else "")


def runs(table: Table, part: Part) -> Iterator[str]:
    """What was run, what else was run, and what failed."""
    replicates = part.panel.replicates
    if part.cell.variant:
        yield f"  chosen      {part.cell.variant}"
    for deviation in part.deviations:
        yield f"  deviation   {deviation}"
    for record in part.group.records if part.group else ():
        yield f"  run {record.id}  {command(record, part, table)}"
    for variant, group in part.others:
        name = variant or "other runs"
        yield f"  also        {name}: {len(group.records)} run(s), {'; '.join(group.deviations) or 'no deviations'}"
        for record in group.records:
            yield f"    run {record.id}  {replicates.named(record.settings)}{on_dev(record, part)}"
    for record in part.failures:
        yield f"  failed      {record.id} {replicates.named(record.settings)}: {record.reason}"


def on_dev(record: Record, part: Part) -> str:
    """What was reached on the dev set, by the first figure of the table that it has too."""
    for column in part.panel.columns.values():
        measured = column.metric.replace("test/", "dev/")
        if measured != column.metric and measured in record.metrics:
            return f"  dev {record.metrics[measured]:.{column.decimals}f}"
    return ""


def command(record: Record, part: Part, table: Table) -> str:
    """What makes this run again."""
    settings = [text for text in part.cell.overrides if not text.startswith("label.")]
    which = part.panel.replicates.named(record.settings)
    return "attest train " + " ".join([*settings, f"scale={table.scale}", which, *budget_of(record, part)])


def budget_of(record: Record, part: Part) -> Iterator[str]:
    actual = part.cell.done_by(record)
    for key, wanted in sorted(part.cell.plain.items()):
        value = actual.get(key)
        if value != wanted:
            yield f"{key}={'null' if value is None else value}"
