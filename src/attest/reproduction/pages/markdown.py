"""A table as a markdown page. Every figure is computed here from records; no figure is typed by hand."""

from attest.reproduction.pages.comparisons import render_comparisons
from attest.reproduction.pages.learning_curves import render_learning_curves
from attest.reproduction.pages.legend import legend
from attest.reproduction.pages.markdown_parts import bullets, nested_bullets, section
from attest.reproduction.pages.mini_note import table_mini_note
from attest.reproduction.pages.numbers import (
    MISSING,
    displayed_unit,
    escape_markdown,
    format_printed,
    format_summary,
    table_row,
    with_unit,
)
from attest.reproduction.pages.other_runs import list_other_runs
from attest.reproduction.pages.replicates import replicates_text
from attest.reproduction.pages.summary import summary
from attest.reproduction.pages.table_notes import show_command, table_notes
from attest.reproduction.pages.uncommitted import count_uncommitted
from attest.reproduction.specs.added_rows import is_added
from attest.reproduction.specs.table import table_names
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Line, Table

OURS = "ours"
"""The reference, and perhaps the source, of a table of the user's own."""
OTHER_RUNS = (
    "These runs belong to rows above but are no part of the figures of the table. A row shows tracked runs before "
    "others, then runs that are not longer than the table asks for, then the group with most replicates, most "
    "training data, the budget that most rows have, fewest deviations and most steps. The deviations after a "
    "semicolon are those that the runs shown in the row do not have."
)


def table_header(table: Table) -> list[str]:
    """Return the head of each column of the page: the model, ours and the paper's figures, finding and status."""
    names = ["Model"]
    for column in table.columns.values():
        title = with_unit(table.titled(column), displayed_unit(column, table.scale))
        names += [f"{title}, {whose}" for whose in ("ours", "paper")] if table.shows_paper else [title]
    return [*names, *(["Finding"] if table.shows_paper else []), "Status"]


def row_cells(table: Table, line: Line, marks: dict[tuple[str, ...], int]) -> list[str]:
    """Return the cells of one row, in the order of `table_header`.

    `marks` holds the number of each list of deviations so far, as in [1]; a list that is new in this row is added.
    """
    texts = [line.row.title + (f" ({line.row.cited})" if line.row.cited else "")]
    for name, column in table.columns.items():
        ours = line.ours(column)
        texts.append("" if line.cited else MISSING if ours is None else format_summary(ours, column, table.scale))
        if table.shows_paper:
            texts.append(format_printed(table.printed(line, name)))
    if table.shows_paper:
        findings = [(column.title, line.finding(name, column)) for name, column in table.columns.items()]
        texts.append("; ".join(f"{title}: {finding}" for title, finding in findings if finding))
    return [*texts, line.per_panel_text(lambda result: format_status(result, marks))]


def format_status(result: PanelResult, marks: dict[tuple[str, ...], int]) -> str:
    """Return the status with the replicates and the number of the list of deviations: done (3 of 5 runs) [1]."""
    counted, marked = replicates_text(result), count_uncommitted(result.group)
    status = result.status + (f" ({', '.join(filter(None, [counted, marked]))})" if counted else "")
    return status + (f" [{marks.setdefault(result.deviations, len(marks) + 1)}]" if result.deviations else "")


def render_table(table: Table) -> str:
    """Return the page of a table: rows, how to read them, comparisons, deviations, other runs, notes."""
    own = table.spec.name not in table_names(own=False)
    of_paper = not own and table.scale == "paper"  # a row of the scale mini has settings that no paper has
    marks: dict[tuple[str, ...], int] = {}
    head = table_header(table)
    rows = [row_cells(table, line, marks) for line in table.lines]
    texts = 2 if table.shows_paper else 1
    alignment = ["---", *["---:"] * (len(head) - 1 - texts), *["---"] * texts]
    lines = [f"# {table.spec.title}", ""]
    if table.scale == "mini":
        lines += [table_mini_note(table), ""]
    else:
        lines += [*summary(table), ""]
    lines += [table_row(row) for row in (head, alignment, *rows)]
    lines += section("How to read this table", bullets(legend(table, bool(marks), of_paper=of_paper)))
    lines += section("Comparisons of rows", render_comparisons(table, of_paper=not own))
    lines += section("Learning curves", render_learning_curves(table))
    lines += section(f"Deviations from the {'paper' if of_paper else 'table'}", [] if not marks else [
        "Derived from the records of the runs.", "",
        *(text for deviations, mark in marks.items()
          for text in nested_bullets(f"[{mark}]", [escape_markdown(text) for text in deviations]))])  # fmt: skip
    lines += section("Other runs", [OTHER_RUNS, "", *others] if (others := list(list_other_runs(table))) else [])
    lines += section("Notes", bullets(table_notes(table)))
    return "\n".join([*lines, *closing_lines(table, own=own), ""])


def closing_lines(table: Table, *, own: bool) -> list[str]:
    """Return the last lines of a page: the paper of the table, and how the page was made."""
    source = source_text(table, own=own)
    collated = table.scale == "paper" and not own and not any(map(is_added, table.spec.rows))
    made = "Made by `attest collate` from the records." if collated else "Made from the records."
    command = f"`{show_command(table)}` lists the runs and commands behind each row."
    return [*(["", source] if source else []), "", f"{made} {command}"]


def source_text(table: Table, *, own: bool) -> str:
    """Return the paper of a table and the place in it; empty for a table of the user's own that has neither.

    A table of the user's own, for which `own` is true, names them as "ours", or has those of the table that it extends,
    from which it may show the paper's figures.
    """
    spec = table.spec
    if own and spec.reference != OURS and not table.shows_paper:
        return ""
    named = {"Printed figures" if own and table.shows_paper else "Source": spec.source, "Paper": spec.reference}
    return " ".join(f"{key}: {text}." for key, text in named.items() if text != OURS)
