"""A table in short, for the README."""

from collections.abc import Iterable, Iterator

from attest.reproduction.pages.numbers import in_print, in_unit, join
from attest.reproduction.tables.build import PanelResult, Table


def summary(table: Table) -> str:
    """The rows that we run and the columns that have a finding, for the README."""
    columns = {name: column for name, column in table.columns.items() if column.margin is not None}
    lines = [line for line in table.lines if not line.cited]
    titles = [f"{table.titled(column)}{f' ({column.unit})' if column.unit else ''}" for column in columns.values()]
    head = ["Model", *(f"{title}, {whose}" for title in titles for whose in ("paper", "ours"))]
    rows = []
    for line in lines:
        texts = [line.row.title]
        for name, column in columns.items():
            ours, found = line.ours(column), line.finding(name, column)
            result = line.panel_result(column)
            assert result is not None
            known = ", ".join(filter(None, [result.replicates, found]))
            mine = f"{in_unit(ours, column, table.scale)} ({known})" if ours else result.status
            texts += [in_print(line.row.paper.get(name)), mine]
        rows.append(join(texts))
    deviations = list(by_panel(result for line in lines for result in line.panels))
    tail = ["", f"Ours deviates from the paper: {'; '.join(deviations)}."] if deviations else []
    return "\n".join([join(head), join(["---"] * len(head)), *rows, *tail, ""])


def by_panel(parts: Iterable[PanelResult]) -> Iterator[str]:
    """Each deviation once: those of every panel, then others with their panels in front."""
    panels: set[str] = set()
    found: dict[str, dict[str, None]] = {}
    for result in parts:
        panels.add(result.panel.title)
        for text in result.deviations:
            found.setdefault(text, {})[result.panel.title] = None
    for text, titles in sorted(found.items(), key=lambda item: set(item[1]) != panels):
        yield text if set(titles) == panels else f"{', '.join(titles)}: {text}"
