"""The rows of a table as texts, in the form that CSV and LaTeX show."""

from attest.reproduction.pages.numbers import MISSING, displayed_unit, format_printed, format_summary, with_unit
from attest.reproduction.pages.replicates import replicates_text
from attest.reproduction.pages.uncommitted import count_uncommitted
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Line, Table

Marks = dict[tuple[str, ...], int]
"""Each list of deviations so far -> its number on the page."""


def table_header(table: Table) -> list[str]:
    """Return the head of each column: what the rows are, ours and the paper's figures, finding and status."""
    names = [table.spec.rows_are]
    for column in table.columns.values():
        title = figure_title(table, column)
        names += [f"{title}, {whose}" for whose in ("ours", "paper")] if table.shows_paper else [title]
    return [*names, *(["Finding"] if table.shows_paper else []), "Status"]


def row_cells(table: Table, line: Line, marks: Marks) -> list[str]:
    """Return the cells of one row, in the order of `table_header`.

    A list of deviations that is new in this row is added to `marks`.
    """
    texts = [row_title(line)]
    for name, column in table.columns.items():
        texts.append(our_figure(table, line, column))
        if table.shows_paper:
            texts.append(format_printed(table.printed(line, name)))
    if table.shows_paper:
        findings = [(column.title, line.finding(name, column)) for name, column in table.columns.items()]
        texts.append("; ".join(f"{title}: {finding}" for title, finding in findings if finding))
    return [*texts, line.per_panel_text(lambda result: format_status(result, marks))]


def figure_title(table: Table, column: Column) -> str:
    """Return the title of a column of figures, with its unit."""
    return with_unit(table.titled(column), displayed_unit(column, table.scale))


def row_title(line: Line) -> str:
    """Return the title of a row, with the work that it is cited from if we do not run it."""
    return line.row.title + (f" ({line.row.cited})" if line.row.cited else "")


def our_figure(table: Table, line: Line, column: Column) -> str:
    """Return our figure of a row in a column, a dash if there is none yet, or an empty text for a cited row."""
    if line.cited:
        return ""
    ours = line.ours(column)
    return MISSING if ours is None else format_summary(ours, column, table.scale)


def format_status(result: PanelResult, marks: Marks) -> str:
    """Return the status with the replicates and the number of the list of deviations: done (3 of 5 runs) [1]."""
    counted, marked = replicates_text(result), count_uncommitted(result.group)
    status = result.status + (f" ({', '.join(filter(None, [counted, marked]))})" if counted else "")
    return status + deviation_mark(result, marks)


def deviation_mark(result: PanelResult, marks: Marks) -> str:
    """Return the number of the result's list of deviations behind a space, as in " [1]"; empty if it has none."""
    return f" [{marks.setdefault(result.deviations, len(marks) + 1)}]" if result.deviations else ""
