"""A table in short, for the README."""

from collections.abc import Iterable, Iterator

from attest.reproduction.pages.numbers import format_printed, format_summary, table_row
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Table


def render_summary(table: Table) -> str:
    """Return a table of the rows that we run and the columns that have a margin, with the deviations as bullets."""
    columns = {name: column for name, column in table.columns.items() if column.margin is not None}
    lines = [line for line in table.lines if not line.cited]
    titles = [f"{table.titled(column)}{f' ({column.unit})' if column.unit else ''}" for column in columns.values()]
    head = ["Model", *(f"{title}, {whose}" for title in titles for whose in ("paper", "ours"))]
    rows = []
    for line in lines:
        texts = [line.row.title]
        for name, column in columns.items():
            ours, finding = line.ours(column), line.finding(name, column)
            result = line.panel_result(column)
            assert result is not None
            remarks = "; ".join(filter(None, [result.replicates, finding]))
            cell = f"{format_summary(ours, column, table.scale)} ({remarks})" if ours else result.status
            texts += [format_printed(line.row.paper.get(name)), cell]
        rows.append(table_row(texts))
    deviations = list(deviations_by_panel(result for line in lines for result in line.panels))
    tail = ["", "Our runs deviate from the paper in:", "", *(f"- {text}" for text in deviations)] if deviations else []
    return "\n".join([table_row(head), table_row(["---"] * len(head)), *rows, *tail, ""])


def deviations_by_panel(results: Iterable[PanelResult]) -> Iterator[str]:
    """Yield each deviation once: first those that all panels share, then the others with their panels' titles."""
    panels: set[str] = set()
    titles_of: dict[str, dict[str, None]] = {}
    for result in results:
        panels.add(result.panel.title)
        for text in result.deviations:
            titles_of.setdefault(text, {})[result.panel.title] = None
    for text, titles in sorted(titles_of.items(), key=lambda item: set(item[1]) != panels):
        yield text if set(titles) == panels else f"{', '.join(titles)}: {text}"
