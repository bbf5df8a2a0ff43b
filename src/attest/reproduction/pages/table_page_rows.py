"""The rows of a table on its page: figures, findings and status in one table or, if that would be wide, in two."""

from collections.abc import Iterator, Mapping, Sequence

from attest.reproduction.pages.markdown_parts import table_row
from attest.reproduction.pages.numbers import format_printed, keep_on_one_line
from attest.reproduction.pages.replicates import differing_run_count
from attest.reproduction.pages.table_rows import (
    DeviationNumbers,
    deviation_number,
    figure_title,
    format_status,
    our_figure,
    row_title,
)
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.finding import Finding
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import RowResults, Table

MAX_FIGURE_COLUMNS, MAX_PANELS = 5, 3
"""The largest numbers of columns of figures, and of groups of columns with runs of their own, beside which findings and
status stand in one table."""


def render_rows(table: Table, numbers: DeviationNumbers) -> list[str]:
    """Return the lines of the rows of a table.

    Findings and status are the last columns, or a second table if there are many columns of figures. Each list of
    deviations gets a number in `numbers`.
    """
    head = [table.spec.rows_are, *figure_heads(table)]
    if not is_wide(table):
        rows = [[row_title(row), *figure_cells(table, row), *verdict_cells(table, row, numbers)] for row in table.rows]
        return markdown_table([*head, "Finding", "Status"], rows, figures=len(head) - 1)
    figures = [numbered_cells(table, row, numbers) for row in table.rows]
    verdicts = [cells for row in table.rows for cells in verdict_rows(table, row, numbers)]
    verdict_head = [table.spec.rows_are, "Columns", "Finding", "Status"]
    return [*markdown_table(head, figures, figures=len(head) - 1), "", *markdown_table(verdict_head, verdicts)]


def is_wide(table: Table) -> bool:
    """Return whether findings and status are a table of their own."""
    return len(figure_heads(table)) > MAX_FIGURE_COLUMNS or len(table.panels) > MAX_PANELS


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
    return any(table.printed_value(row, name) for row in table.rows)


def figure_cells(table: Table, row: RowResults) -> list[str]:
    """Return the figures of a row, in the order of `figure_heads`."""
    return [text for _, text in figures_with_results(table, row)]


def numbered_cells(table: Table, row: RowResults, numbers: DeviationNumbers) -> list[str]:
    """Return the title and the figures of a row, with the numbers of their lists of deviations.

    A list that all runs of the row share has its number behind the title, other lists behind each figure.
    """
    lists = {result.deviations: result for result in row.results if result.group}
    if len(lists) == 1:
        (result,) = lists.values()
        return [row_title(row) + deviation_number(result, numbers), *figure_cells(table, row)]
    figures = figures_with_results(table, row)
    return [row_title(row), *(text + (deviation_number(result, numbers) if result else "") for result, text in figures)]


def figures_with_results(table: Table, row: RowResults) -> Iterator[tuple[PanelResult | None, str]]:
    """Yield the text of each figure of a row, behind the result that it is from; None for a figure of the paper, and
    where we have none."""
    for name, column in table.columns.items():
        yield row.result_in(column) if row.our_value(column) else None, displayed_figure(table, row, column)
        if has_printed(table, name):
            yield None, keep_on_one_line(format_printed(table.printed_value(row, name)))


def displayed_figure(table: Table, row: RowResults, column: Column) -> str:
    """Return our figure of a row in a column, with its number of runs if the status names another: 604 (1 run)."""
    result, text = row.result_in(column), keep_on_one_line(our_figure(table, row, column))
    count = differing_run_count(result, column) if result else ""
    return f"{text} ({count})" if count else text


def verdict_cells(table: Table, row: RowResults, numbers: DeviationNumbers) -> list[str]:
    """Return the findings and the status of a row."""
    return [findings_text(table, row, table.columns), row.per_panel_text(lambda result: format_status(result, numbers))]


def verdict_rows(table: Table, row: RowResults, numbers: DeviationNumbers) -> list[list[str]]:
    """Return a row for each group of columns with the same findings and status: title, columns, findings, status."""
    panels: dict[tuple[str, str], list[str]] = {}
    for result in row.results:
        verdict = findings_text(table, row, result.panel.columns), format_status(result, numbers)
        panels.setdefault(verdict, []).append(result.panel.title)
    several = len(table.panels) > 1
    return [
        [row_title(row), ("all" if len(panels) == 1 else "; ".join(titles)) if several else "", *verdict]
        for verdict, titles in panels.items()
    ]


def findings_text(table: Table, row: RowResults, columns: Mapping[str, Column]) -> str:
    """Return each finding of a row behind the titles of its columns, as in "CR, MPQA: below; TREC: within".

    The only column of several stands for itself: its finding has no title.
    """
    titles: dict[Finding, list[str]] = {}
    for name, column in columns.items():
        if table.shows_paper and (finding := row.finding(name, column)):
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
