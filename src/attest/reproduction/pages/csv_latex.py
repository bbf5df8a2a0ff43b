"""Tables as CSV and LaTeX: rows and columns alone, with the deviations from the paper in the last column."""

import csv
import io
import re

from attest.reproduction.pages.markdown import row_cells, table_header
from attest.reproduction.tables.build import Table


def rows_with_deviations(table: Table) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of a table, with the deviations as the last column."""
    marks: dict[tuple[str, ...], int] = {}
    rows = [row_cells(table, line, marks) for line in table.lines]
    deviations = [line.per_panel_text(lambda result: "; ".join(result.deviations)) for line in table.lines]
    return [*table_header(table), "Deviations"], [[*row, text] for row, text in zip(rows, deviations, strict=True)]


def render_csv(table: Table) -> str:
    """Return the table as CSV."""
    head, rows = rows_with_deviations(table)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows([head, *rows])
    return buffer.getvalue()


def render_latex(table: Table) -> str:
    """Return the table as a booktabs tabular, with the deviations below it as comments, so that they are copied with
    it."""
    head, rows = rows_with_deviations(table)
    body = [" & ".join(escape_latex(text) for text in row[:-1]) + r" \\" for row in (head, *rows)]
    lines = [r"\begin{tabular}{l" + "r" * (len(head) - 2) + "}", r"\toprule", body[0], r"\midrule", *body[1:]]
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {row[0]}: {row[-1]}" for row in rows if row[-1]]
    return "\n".join([f"% {table.spec.title}; scale {table.scale}", *lines, ""])


def escape_latex(text: str) -> str:
    """Return the text with LaTeX's special characters escaped and markdown's code marks removed."""
    specials = {"\\": r"\textbackslash{}", "±": r"$\pm$", "–": "--", "θ": r"$\theta$", "ρ": r"$\rho$",
                "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"\textbar{}"}  # fmt: skip
    text = re.sub("`([^`]*)`", "\\1", text)  # what markdown sets as code
    return "".join(
        specials.get(character, "\\" + character if character in "&%$#_{}" else character) for character in text
    )
