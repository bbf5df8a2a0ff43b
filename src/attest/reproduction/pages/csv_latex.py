"""A table in rows and columns alone, its deviations the last column: CSV and LaTeX."""

import csv
import io
import re

from attest.reproduction.pages.markdown import cells_of, header
from attest.reproduction.tables.build import Table


def flat(table: Table) -> tuple[list[str], list[list[str]]]:
    marks: dict[tuple[str, ...], int] = {}
    rows = [cells_of(table, line, marks) for line in table.lines]
    deviations = [line.per_panel_text(lambda result: "; ".join(result.deviations)) for line in table.lines]
    return [*header(table), "Deviations"], [[*row, text] for row, text in zip(rows, deviations, strict=True)]


def render_csv(table: Table) -> str:
    head, rows = flat(table)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows([head, *rows])
    return buffer.getvalue()


def latex(table: Table) -> str:
    """A booktabs tabular; deviations stand below it as a comment, so that nobody pastes it without them."""
    head, rows = flat(table)
    body = [" & ".join(escape(text) for text in row[:-1]) + r" \\" for row in (head, *rows)]
    lines = [r"\begin{tabular}{l" + "r" * (len(head) - 2) + "}", r"\toprule", body[0], r"\midrule", *body[1:]]
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {row[0]}: {row[-1]}" for row in rows if row[-1]]
    return "\n".join([f"% {table.spec.title}; scale {table.scale}", *lines, ""])


def escape(text: str) -> str:
    specials = {"\\": r"\textbackslash{}", "±": r"$\pm$", "–": "--", "θ": r"$\theta$", "ρ": r"$\rho$",
                "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"\textbar{}"}  # fmt: skip
    text = re.sub("`([^`]*)`", "\\1", text)  # what markdown sets as code
    return "".join(
        specials.get(character, "\\" + character if character in "&%$#_{}" else character) for character in text
    )
