"""The rows of a table as texts, in the form that CSV and LaTeX show."""

from attest.reproduction.pages.numbers import MISSING, displayed_unit, format_printed, format_summary, with_unit
from attest.reproduction.pages.replicates import replicates_text
from attest.reproduction.pages.uncommitted import count_uncommitted
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import RowResults, Table

DeviationNumbers = dict[tuple[str, ...], int]
"""A list of deviations -> its number on the page."""


def table_header(table: Table) -> list[str]:
    """Return the head of each column: what the rows are, ours and the paper's figures, finding and status."""
    names = [table.spec.rows_are]
    for column in table.columns.values():
        title = figure_title(table, column)
        names += [f"{title}, {whose}" for whose in ("ours", "paper")] if table.shows_paper else [title]
    return [*names, *(["Finding"] if table.shows_paper else []), "Status"]


def row_cells(table: Table, row: RowResults, numbers: DeviationNumbers) -> list[str]:
    """Return the cells of one row, in the order of `table_header`.

    A list of deviations that is new in this row is added to `numbers`.
    """
    texts = [row_title(row)]
    for name, column in table.columns.items():
        texts.append(our_figure(table, row, column))
        if table.shows_paper:
            texts.append(format_printed(table.printed_value(row, name)))
    if table.shows_paper:
        findings = [(column.title, row.finding(name, column)) for name, column in table.columns.items()]
        texts.append("; ".join(f"{title}: {finding}" for title, finding in findings if finding))
    return [*texts, row.per_panel_text(lambda result: format_status(result, numbers))]


def figure_title(table: Table, column: Column) -> str:
    """Return the title of a column of figures, with its unit."""
    return with_unit(table.column_title(column), displayed_unit(column, table.scale))


def row_title(row: RowResults) -> str:
    """Return the title of a row, with the work that it is cited from if we do not run it."""
    return row.spec.title + (f" ({row.spec.cited})" if row.spec.cited else "")


def our_figure(table: Table, row: RowResults, column: Column) -> str:
    """Return our figure of a row in a column, a dash if there is none yet, or an empty text for a cited row."""
    if row.is_cited:
        return ""
    ours = row.our_value(column)
    return MISSING if ours is None else format_summary(ours, column, table.scale)


def format_status(result: PanelResult, numbers: DeviationNumbers) -> str:
    """Return the status with the replicates and the number of the list of deviations: done (3 of 5 runs) [1]."""
    runs_text, uncommitted_text = replicates_text(result), count_uncommitted(result.group)
    status = result.status + (f" ({', '.join(filter(None, [runs_text, uncommitted_text]))})" if runs_text else "")
    return status + deviation_number(result, numbers)


def deviation_number(result: PanelResult, numbers: DeviationNumbers) -> str:
    """Return the number of the result's list of deviations behind a space, as in " [1]"; empty if it has none."""
    return f" [{numbers.setdefault(result.deviations, len(numbers) + 1)}]" if result.deviations else ""
