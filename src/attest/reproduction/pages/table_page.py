"""A table as a markdown page. Every figure is computed here from records; no figure is typed by hand."""

from attest.reproduction.commands_to_type import show_command
from attest.reproduction.pages.comparisons import render_comparisons
from attest.reproduction.pages.legend import legend
from attest.reproduction.pages.markdown_parts import bullets, escape_markdown, nested_bullets, section
from attest.reproduction.pages.mini_note import table_mini_note
from attest.reproduction.pages.other_runs import list_other_runs
from attest.reproduction.pages.size_laws import render_size_laws
from attest.reproduction.pages.summary import summary
from attest.reproduction.pages.table_notes import table_notes
from attest.reproduction.pages.table_page_rows import render_rows
from attest.reproduction.pages.table_rows import DeviationNumbers
from attest.reproduction.specs.added_rows import is_added
from attest.reproduction.specs.table import table_names
from attest.reproduction.tables.table import Table

NO_PAPER = "ours"
"""The reference, and perhaps the source, of a table of the user's own."""
OTHER_RUNS = (
    "These runs belong to rows above but are no part of the figures of the table. A row shows tracked runs before "
    "others, then runs that are not longer than the table asks for, then the group with most replicates, most "
    "training data, the budget that most rows have, fewest deviations and most steps. The deviations after a "
    "semicolon are those that the runs shown in the row do not have."
)


def render_table(table: Table) -> str:
    """Return the page of a table: rows, how to read them, comparisons, deviations, other runs, notes."""
    own = table.spec.name not in table_names(own=False)
    of_paper = not own and table.scale == "paper"  # a row of the scale mini has settings that no paper has
    numbers: DeviationNumbers = {}
    rows = render_rows(table, numbers)
    lines = [f"# {table.spec.title}", ""]
    if table.scale == "mini":
        lines += [table_mini_note(table), ""]
    else:
        lines += [*summary(table), ""]
    lines += rows
    lines += section("How to read this table", bullets(legend(table, bool(numbers), of_paper=of_paper)))
    lines += section("Comparisons of rows", render_comparisons(table, of_paper=not own))
    lines += section("Accuracy by training size", render_size_laws(table))
    lines += section(f"Deviations from the {'paper' if of_paper else 'table'}", [] if not numbers else [
        "Derived from the records of the runs.", "",
        *(text for deviations, mark in numbers.items()
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
    if own and spec.reference != NO_PAPER and not table.shows_paper:
        return ""
    named = {"Printed figures" if own and table.shows_paper else "Source": spec.source, "Paper": spec.reference}
    return " ".join(f"{key}: {text}." for key, text in named.items() if text != NO_PAPER)
