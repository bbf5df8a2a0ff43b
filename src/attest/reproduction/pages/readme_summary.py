"""A table in short, for the README."""

from collections.abc import Iterator, Sequence

from attest.reproduction.pages.markdown_parts import table_row
from attest.reproduction.pages.numbers import format_printed, keep_on_one_line
from attest.reproduction.pages.replicates import differing_run_count, replicates_text
from attest.reproduction.pages.table_rows import figure_title, our_figure
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.table import RowResults, Table


def render_summary(table: Table) -> str:
    """Return a table with a row for each row that we run in each column that has a margin, with the deviations as
    bullets."""
    run_rows = [row for row in table.rows if not row.is_cited]
    columns = [(name, column) for name, column in table.columns.items() if column.margin is not None]
    rows = [summary_cells(table, row, name, column) for row in run_rows for name, column in columns]
    head = [table.spec.rows_are, "Figure", "Ours", "Paper", "Finding", "Runs"]
    alignment = ["---", "---", "---:", "---:", "---", "---"]
    deviations = list(labelled_deviations(run_rows))
    tail = ["", "Our runs deviate from the paper in:", "", *(f"- {text}" for text in deviations)] if deviations else []
    return "\n".join([*map(table_row, (head, alignment, *rows)), *tail, ""])


def summary_cells(table: Table, row: RowResults, name: str, column: Column) -> list[str]:
    """Return the cells of a row in one column: title, figure, ours and the paper's, finding, and number of runs."""
    result = row.result_in(column)
    assert result is not None, "a row that is only cited has no result"
    return [
        row.spec.title,
        figure_title(table, column),
        keep_on_one_line(our_figure(table, row, column)),
        keep_on_one_line(format_printed(row.spec.paper.get(name))),
        str(row.finding(name, column) or ""),
        differing_run_count(result, column) or replicates_text(result) or result.status,
    ]


def labelled_deviations(run_rows: Sequence[RowResults]) -> Iterator[str]:
    """Yield each deviation once: first those that all runs share, then the others with the titles of their rows, if
    other rows with runs lack them, and of their panels, if other panels lack them."""
    results = [(row.spec.title, result) for row in run_rows for result in row.results]
    titles_run = {title for title, result in results if result.group is not None}
    panels = {result.panel.title for _, result in results}
    labels = {}
    for text in dict.fromkeys(text for _, result in results for text in result.deviations):
        holders = [(title, result.panel.title) for title, result in results if text in result.deviations]
        own_rows, own_panels = (list(dict.fromkeys(titles)) for titles in zip(*holders, strict=True))
        parts = [titles for titles, known in ((own_rows, titles_run), (own_panels, panels)) if set(titles) != known]
        labels[text] = ", ".join("; ".join(titles) for titles in parts)
    for text, label in sorted(labels.items(), key=lambda item: bool(item[1])):
        yield f"{label}: {text}" if label else text
