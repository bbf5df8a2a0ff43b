"""The figures, records and commands behind a table, for people."""

from collections.abc import Iterator

from attest.identity import flatten
from attest.records import Record
from attest.reproduction.render import in_print, in_unit
from attest.reproduction.table import Line, Table


def show(table: Table, row: str | None = None) -> str:
    lines = [line for line in table.lines if row in (None, line.name) and line.status != "cited"]
    return "\n".join(text for line in lines for text in describe(table, line))


def describe(table: Table, line: Line) -> Iterator[str]:
    yield f"{line.name}: {line.row.title}"
    yield f"  status      {line.status}" + (f", {line.replicates}" if line.replicates else "")
    for name, column in table.columns.items():
        ours, printed = line.ours(column), table.printed(line, name)
        if ours is not None or printed is not None:
            mine = "-" if ours is None else in_unit(ours, column, table.scale)
            unit = column.unit if column.unit != "m" or table.scale == "paper" else ""
            paper = f"   paper {in_print(printed)}" if printed else ""
            found = line.finding(name, column) if table.shows_paper else None
            yield f"  {column.title:<11} {mine} {unit}".rstrip() + paper + (f"   {found}" if found else "")
    if line.cell is not None and line.cell.variant:
        yield f"  chosen      {line.cell.variant}"
    if line.group is not None:
        for deviation in line.group.deviations:
            yield f"  deviation   {deviation}"
        for record in line.group.records:
            yield f"  run {record.id}  {command(record, line, table)}"
    for variant, group in line.others:
        name = variant or "other runs"
        yield f"  also        {name}: {len(group.records)} run(s), {'; '.join(group.deviations) or 'no deviations'}"
        for record in group.records:
            yield f"    run {record.id}  seed={record.seed}  dev {record.metrics.get('dev/accuracy', float('nan')):.2f}"
    for record in line.failures:
        yield f"  failed      {record.id} seed={record.seed}: {record.reason}"
    if line.group is None:
        yield f"  to run it   attest reproduce {table.spec.name} scale={table.scale} rows={line.name}"
    yield ""


def command(record: Record, line: Line, table: Table) -> str:
    """What makes this run again."""
    assert line.cell is not None
    settings = [text for text in line.cell.overrides if not text.startswith("label.")]
    words = [*settings, f"scale={table.scale}", f"seed={record.seed}", *budget_of(record, line)]
    return "attest train " + " ".join(words)


def budget_of(record: Record, line: Line) -> Iterator[str]:
    assert line.cell is not None
    wanted = flatten(line.cell.settings)
    for key in sorted(wanted):
        value = record.settings.get(key)
        if key != "seed" and value != wanted[key]:
            yield f"{key}={'null' if value is None else value}"
