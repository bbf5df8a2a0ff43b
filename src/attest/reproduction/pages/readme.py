"""A table in short, for the README."""

from collections.abc import Iterator, Sequence

from attest.reproduction.pages.numbers import format_printed, format_summary, table_row, with_unit
from attest.reproduction.pages.replicates import replicates_text
from attest.reproduction.tables.table import Line, Table


def render_summary(table: Table) -> str:
    """Return a table of the rows that we run and the columns that have a margin, with the deviations as bullets."""
    columns = {name: column for name, column in table.columns.items() if column.margin is not None}
    lines = [line for line in table.lines if not line.cited]
    titles = [with_unit(table.titled(column), column.unit) for column in columns.values()]
    head = ["Model", *(f"{title}, {whose}" for title in titles for whose in ("paper", "ours"))]
    rows = []
    for line in lines:
        texts = [line.row.title]
        for name, column in columns.items():
            ours, finding = line.ours(column), line.finding(name, column)
            result = line.result_in(column)
            assert result is not None
            remarks = "; ".join(filter(None, [replicates_text(result), str(finding or "")]))
            cell = f"{format_summary(ours, column, table.scale)} ({remarks})" if ours else result.status
            texts += [format_printed(line.row.paper.get(name)), cell]
        rows.append(table_row(texts))
    deviations = list(labelled_deviations(lines))
    tail = ["", "Our runs deviate from the paper in:", "", *(f"- {text}" for text in deviations)] if deviations else []
    return "\n".join([table_row(head), table_row(["---"] * len(head)), *rows, *tail, ""])


def labelled_deviations(lines: Sequence[Line]) -> Iterator[str]:
    """Yield each deviation once: first those that all runs share, then the others with the titles of their rows, if
    other rows with runs lack them, and of their panels, if other panels lack them."""
    results = [(line.row.title, result) for line in lines for result in line.results]
    rows = {title for title, result in results if result.group is not None}
    panels = {result.panel.title for _, result in results}
    labels = {}
    for text in dict.fromkeys(text for _, result in results for text in result.deviations):
        holders = [(title, result.panel.title) for title, result in results if text in result.deviations]
        own_rows, own_panels = (list(dict.fromkeys(titles)) for titles in zip(*holders, strict=True))
        parts = [titles for titles, known in ((own_rows, rows), (own_panels, panels)) if set(titles) != known]
        labels[text] = ", ".join("; ".join(titles) for titles in parts)
    for text, label in sorted(labels.items(), key=lambda item: bool(item[1])):
        yield f"{label}: {text}" if label else text
