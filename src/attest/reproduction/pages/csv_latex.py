"""Tables as CSV and LaTeX: rows and columns alone, with the deviations from the paper in the last column."""

import re
from collections.abc import Iterable, Sequence

from attest.reproduction.pages import text_table
from attest.reproduction.pages.table_rows import DeviationNumbers, row_cells, table_header
from attest.reproduction.pages.text_table import TextTable
from attest.reproduction.tables.table import Table


def rows_with_deviations(table: Table) -> TextTable:
    """Return the head and the rows of a table, with the deviations as the last column."""
    numbers: DeviationNumbers = {}
    cells = [row_cells(table, row, numbers) for row in table.rows]
    deviations = [row.per_panel_text(lambda result: "; ".join(result.deviations)) for row in table.rows]
    return TextTable(
        [*table_header(table), "Deviations"], [[*texts, text] for texts, text in zip(cells, deviations, strict=True)]
    )


def render_csv(table: Table) -> str:
    """Return the table as CSV."""
    return text_table.render_csv(rows_with_deviations(table))


def render_latex(table: Table) -> str:
    """Return the table as a booktabs tabular, with the deviations below it as comments, so that they are copied with
    it."""
    full = rows_with_deviations(table)
    figures = TextTable(full.head[:-1], [row[:-1] for row in full.rows])
    deviations = [f"{row[0]}: {row[-1]}" for row in full.rows if row[-1]]
    return render_tabular(figures, f"{table.spec.title}; scale {table.scale}", deviations)


def render_tabular(table: TextTable, title: str, notes: Iterable[str] = ()) -> str:
    """Return a table of texts as a booktabs tabular, below its title and above its notes, which are comments."""
    head, *body = map(latex_row, (table.head, *table.rows))
    alignment = "l" * table.names + "r" * (len(table.head) - table.names)
    lines = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", head, r"\midrule", *body]
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join([latex_comment(title), *lines, *map(latex_comment, notes), ""])


def latex_row(texts: Sequence[str]) -> str:
    """Return a row of a tabular. A bracket or star at its beginning would be an argument of the line before it."""
    cells = " & ".join(map(escape_latex, texts))
    return re.sub(r"^([\[*])", r"{\1}", cells) + r" \\"


def latex_comment(text: str) -> str:
    """Return the text as a LaTeX comment of one line."""
    return f"% {' '.join(text.split())}"


def escape_latex(text: str) -> str:
    """Return the text with LaTeX's special characters escaped and markdown's code marks removed."""
    specials = {"\\": r"\textbackslash{}", "±": r"$\pm$", "–": "--", "θ": r"$\theta$", "ρ": r"$\rho$",
                "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"\textbar{}", "<": r"\textless{}",
                ">": r"\textgreater{}", '"': r"\texttt{\char34}", "\N{MINUS SIGN}": "$-$"}  # fmt: skip
    text = re.sub("`([^`]*)`", "\\1", text)  # what markdown sets as code
    return "".join(
        specials.get(character, "\\" + character if character in "&%$#_{}" else character) for character in text
    )
