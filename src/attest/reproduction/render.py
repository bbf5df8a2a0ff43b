"""A table as markdown, CSV and LaTeX. Every figure is computed here from records; nobody types one."""

import csv
import io
from collections.abc import Callable

from attest.reproduction.spec import Column, Figure
from attest.reproduction.statistics import Summary
from attest.reproduction.table import Line, Table

MINI = (
    "**Scale mini**: narrow models on the built-in corpora. It shows that the pipeline works and says nothing about "
    "the paper, whose figures are therefore not printed here."
)
SCALES = {"m": 1e-6}
MISSING = "–"


def number(value: float, column: Column) -> str:
    return f"{value:,.{column.decimals}f}"


def in_unit(summary: Summary, column: Column, scale: str) -> str:
    """mean +- sd. Model sizes of a mini run are too small for millions and are printed whole."""
    if column.unit == "m":
        return number(summary.mean * 1e-6, column) if scale == "paper" else f"{summary.mean:,.0f}"
    text = number(summary.mean, column)
    return text if summary.sd is None else f"{text} ± {number(summary.sd, column)}"


def in_print(figure: Figure | None) -> str:
    """As the paper prints it."""
    if figure is None:
        return ""
    if figure.value is None:
        return str(figure.reason)
    text = f"{figure.value:,.6g}"
    return text if figure.sd is None else f"{text} ± {figure.sd:g}"


def header(table: Table) -> list[str]:
    names = ["Model"]
    for column in table.columns.values():
        unit = f" ({column.unit})" if column.unit and (table.shows_paper or column.unit != "m") else ""
        names += (
            [f"{column.title}{unit}, {whose}" for whose in ("ours", "paper")]
            if table.shows_paper
            else [f"{column.title}{unit}"]
        )
    return [*names, *(["Finding"] if table.shows_paper else []), "Status"]


def cells_of(table: Table, line: Line, marks: dict[tuple[str, ...], int]) -> list[str]:
    texts = [line.row.title + (f" ({line.row.cited})" if line.row.cited else "")]
    for name, column in table.columns.items():
        ours = line.ours(column)
        texts.append("" if line.status == "cited" else MISSING if ours is None else in_unit(ours, column, table.scale))
        if table.shows_paper:
            texts.append(in_print(table.printed(line, name)))
    if table.shows_paper:
        findings = {column.title: line.finding(name, column) for name, column in table.columns.items()}
        texts.append("; ".join(f"{title}: {found}" for title, found in findings.items() if found))
    status = "" if line.status == "cited" else line.status + (f" ({line.replicates})" if line.replicates else "")
    if line.group and line.group.deviations:
        status += f" [{marks.setdefault(line.group.deviations, len(marks) + 1)}]"
    return [*texts, status]


def markdown(table: Table) -> str:
    marks: dict[tuple[str, ...], int] = {}
    head = header(table)
    rows = [cells_of(table, line, marks) for line in table.lines]
    alignment = [
        "---",
        *["---:"] * (len(head) - 1 - (2 if table.shows_paper else 1)),
        *["---"] * (2 if table.shows_paper else 1),
    ]
    lines = [f"# {table.spec.title}", ""]
    if not table.shows_paper:
        lines += [MINI, ""]
    lines += [join(row) for row in (head, alignment, *rows)]
    if marks:
        lines += ["", "Deviations from the paper, derived from the records:", ""]
        lines += [f"- [{mark}] {'; '.join(deviations)}" for deviations, mark in marks.items()]
    lines += ["", *(f"- {note}" for note in notes(table))]
    lines += ["", f"{table.spec.source} of {table.spec.reference}. Made by `attest collate` from the records; see "
              f"`attest show {table.spec.name}` for the runs and commands behind each row.", ""]  # fmt: skip
    return "\n".join(lines)


def summary(table: Table) -> str:
    """The rows that we run and the columns that have a finding, for the README."""
    columns = {name: column for name, column in table.columns.items() if column.margin is not None}
    lines = [line for line in table.lines if line.status != "cited"]
    head = ["Model", *(f"{c.title} ({c.unit}), {whose}" for c in columns.values() for whose in ("paper", "ours"))]
    rows = []
    for line in lines:
        texts = [line.row.title]
        for name, column in columns.items():
            ours, found = line.ours(column), line.finding(name, column)
            mine = line.status if ours is None else f"{in_unit(ours, column, table.scale)} ({line.replicates}, {found})"
            texts += [in_print(line.row.paper.get(name)), mine]
        rows.append(join(texts))
    deviations = dict.fromkeys(text for line in lines if line.group for text in line.group.deviations)
    tail = ["", f"Ours deviates from the paper: {'; '.join(deviations)}."] if deviations else []
    return "\n".join([join(head), join(["---"] * len(head)), *rows, *tail, ""])


def join(texts: list[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def notes(table: Table) -> list[str]:
    """What a reader has to know beside the figures."""
    found = list(table.spec.notes) if table.shows_paper else []
    for line in table.lines:
        if line.row.search and line.cell and line.group:
            found.append(f"{line.row.title}: {line.cell.variant} is shown, chosen by {line.row.search.select}.")
        if line.row.note and table.shows_paper:
            found.append(f"{line.row.title}: {line.row.note}")
        if line.others and not line.row.search:
            found.append(f"{line.row.title}: {len(line.others)} more group(s) of runs, see `attest show`.")
    if any(line.group for line in table.lines):
        found.append("± is the standard deviation over runs.")
    return found


def flat(table: Table) -> tuple[list[str], list[list[str]]]:
    marks: dict[tuple[str, ...], int] = {}
    rows = [cells_of(table, line, marks) for line in table.lines]
    deviations = ["; ".join(line.group.deviations) if line.group else "" for line in table.lines]
    return [*header(table), "Deviations"], [[*row, text] for row, text in zip(rows, deviations, strict=True)]


def comma_separated(table: Table) -> str:
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
    specials = {"\\": r"\textbackslash{}", "±": r"$\pm$", "–": "--", "θ": r"$\theta$", "~": r"\textasciitilde{}",
                "^": r"\textasciicircum{}", "|": r"\textbar{}"}  # fmt: skip
    return "".join(
        specials.get(character, "\\" + character if character in "&%$#_{}" else character) for character in text
    )


FORMATS: dict[str, Callable[[Table], str]] = {"md": markdown, "csv": comma_separated, "tex": latex}
