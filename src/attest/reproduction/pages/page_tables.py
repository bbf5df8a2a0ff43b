"""The rows of a table on its page: figures, findings and status in one table or, if that would be wide, in two."""

from collections.abc import Iterator, Mapping, Sequence

from attest.reproduction.pages.numbers import format_printed, table_row, unbroken
from attest.reproduction.pages.replicates import other_count
from attest.reproduction.pages.table_rows import (
    Marks,
    deviation_mark,
    figure_title,
    format_status,
    our_figure,
    row_title,
)
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.finding import Finding
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Line, Table

MOST_FIGURES, MOST_PANELS = 5, 3
"""The largest numbers of columns of figures, and of groups of columns with runs of their own, beside which findings and
status stand in one table."""


def render_rows(table: Table, marks: Marks) -> list[str]:
    """Return the lines of the rows of a table.

    Findings and status are the last columns, or a second table if there are many columns of figures. Each list of
    deviations gets a number in `marks`.
    """
    head = [table.spec.rows_are, *figure_heads(table)]
    if not is_wide(table):
        rows = [
            [row_title(line), *figure_cells(table, line), *verdict_cells(table, line, marks)] for line in table.lines
        ]
        return markdown_table([*head, "Finding", "Status"], rows, figures=len(head) - 1)
    figures = [marked_cells(table, line, marks) for line in table.lines]
    verdicts = [row for line in table.lines for row in verdict_rows(table, line, marks)]
    verdict_head = [table.spec.rows_are, "Columns", "Finding", "Status"]
    return [*markdown_table(head, figures, figures=len(head) - 1), "", *markdown_table(verdict_head, verdicts)]


def is_wide(table: Table) -> bool:
    """Return whether findings and status are a table of their own."""
    return len(figure_heads(table)) > MOST_FIGURES or len(table.panels) > MOST_PANELS


def figure_heads(table: Table) -> list[str]:
    """Return the heads of the columns of figures: ours and, where the paper has any in the column, the paper's."""
    heads = []
    for name, column in table.columns.items():
        title = figure_title(table, column)
        heads.append(f"{title}, ours" if table.shows_paper else title)
        heads += [f"{title}, paper"] * has_printed(table, name)
    return heads


def has_printed(table: Table, name: str) -> bool:
    """Return whether the page shows a figure of the paper, or why it is missing, in the column of this name."""
    return any(table.printed(line, name) for line in table.lines)


def figure_cells(table: Table, line: Line) -> list[str]:
    """Return the figures of a row, in the order of `figure_heads`."""
    return [text for _, text in figures_with_results(table, line)]


def marked_cells(table: Table, line: Line, marks: Marks) -> list[str]:
    """Return the title and the figures of a row, with the numbers of their lists of deviations.

    A list that all runs of the row share has its number behind the title, other lists behind each figure.
    """
    lists = {result.deviations: result for result in line.results if result.group}
    if len(lists) == 1:
        (result,) = lists.values()
        return [row_title(line) + deviation_mark(result, marks), *figure_cells(table, line)]
    figures = figures_with_results(table, line)
    return [row_title(line), *(text + (deviation_mark(result, marks) if result else "") for result, text in figures)]


def figures_with_results(table: Table, line: Line) -> Iterator[tuple[PanelResult | None, str]]:
    """Yield the text of each figure of a row, behind the result that it is from; None for a figure of the paper, and
    where we have none."""
    for name, column in table.columns.items():
        yield line.result_in(column) if line.ours(column) else None, displayed_figure(table, line, column)
        if has_printed(table, name):
            yield None, unbroken(format_printed(table.printed(line, name)))


def displayed_figure(table: Table, line: Line, column: Column) -> str:
    """Return our figure of a row in a column, with its number of runs if the status names another: 604 (1 run)."""
    result, text = line.result_in(column), unbroken(our_figure(table, line, column))
    count = other_count(result, column) if result else ""
    return f"{text} ({count})" if count else text


def verdict_cells(table: Table, line: Line, marks: Marks) -> list[str]:
    """Return the findings and the status of a row."""
    return [findings_text(table, line, table.columns), line.per_panel_text(lambda result: format_status(result, marks))]


def verdict_rows(table: Table, line: Line, marks: Marks) -> list[list[str]]:
    """Return a row for each group of columns with the same findings and status: title, columns, findings, status."""
    panels: dict[tuple[str, str], list[str]] = {}
    for result in line.results:
        verdict = findings_text(table, line, result.panel.columns), format_status(result, marks)
        panels.setdefault(verdict, []).append(result.panel.title)
    several = len(table.panels) > 1
    return [
        [row_title(line), ("all" if len(panels) == 1 else "; ".join(titles)) if several else "", *verdict]
        for verdict, titles in panels.items()
    ]


def findings_text(table: Table, line: Line, columns: Mapping[str, Column]) -> str:
    """Return each finding of a row behind the titles of its columns, as in "CR, MPQA: below; TREC: within".

    The only column of several stands for itself: its finding has no title.
    """
    titles: dict[Finding, list[str]] = {}
    for name, column in columns.items():
        if table.shows_paper and (finding := line.finding(name, column)):
            titles.setdefault(finding, []).append(without_commas(column.title))
    if len(columns) == 1 < len(table.columns):
        return "".join(map(str, titles))
    return "; ".join(f"{', '.join(these)}: {finding}" for finding, these in titles.items())


def without_commas(title: str) -> str:
    """Return a title for a list: SICK-TE test for SICK-TE, test."""
    return title.replace(", ", " ")


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], figures: int = 0) -> list[str]:
    """Return the lines of a markdown table, without columns that are empty.

    `figures` is the number of columns behind the first that hold figures, which are aligned to the right.
    """
    alignment = ["---", *["---:"] * figures, *["---"] * (len(head) - 1 - figures)]
    filled = [place for place in range(len(head)) if place == 0 or any(row[place] for row in rows)]
    return [table_row([row[place] for place in filled]) for row in (head, alignment, *rows)]
