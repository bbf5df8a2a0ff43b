"""A table in short, for the README."""

from collections.abc import Iterable, Iterator

from attest.reproduction.pages.numbers import in_print, in_unit, join
from attest.reproduction.tables.build import Part, Table


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
            part = line.part(column)
            assert part is not None
            known = ", ".join(filter(None, [part.replicates, found]))
            mine = f"{in_unit(ours, column, table.scale)} ({known})" if ours else part.status
            texts += [in_print(line.row.paper.get(name)), mine]
        rows.append(join(texts))
    deviations = list(by_panel(part for line in lines for part in line.parts))
    tail = ["", f"Ours deviates from the paper: {'; '.join(deviations)}."] if deviations else []
    return "\n".join([join(head), join(["---"] * len(head)), *rows, *tail, ""])


def by_panel(parts: Iterable[Part]) -> Iterator[str]:
    """Each deviation once: those of every panel, then others with their panels in front."""
    panels: set[str] = set()
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        panels.add(part.panel.title)
        for text in part.deviations:
            found.setdefault(text, {})[part.panel.title] = None
    for text, titles in sorted(found.items(), key=lambda item: set(item[1]) != panels):
        yield text if set(titles) == panels else f"{', '.join(titles)}: {text}"
