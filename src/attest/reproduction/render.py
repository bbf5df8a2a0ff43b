"""A table as markdown. Every figure is computed here from records; nobody types one."""

from collections.abc import Iterable, Iterator

from attest.reproduction.columns import Column
from attest.reproduction.comparisons import Compared, compared
from attest.reproduction.spec import Figure, Search
from attest.reproduction.table import Line, Part, Table
from attest.statistics import Summary

MINI = (
    "**Scale mini**: narrow models on the built-in corpora. It shows that the pipeline works and says nothing about "
    "the paper, whose figures are therefore not printed here."
)
MISSING = "–"


def number(value: float, column: Column) -> str:
    return f"{value:,.{column.decimals}f}"


def in_unit(summary: Summary, column: Column, scale: str) -> str:
    """mean +- sd. Model sizes of a mini run are too small for millions and are printed whole."""
    if column.unit == "m" and scale == "mini":
        return f"{summary.mean:,.0f}"
    text = number(summary.mean * size(column), column)
    return text if summary.sd is None or column.unit == "m" else f"{text} ± {number(summary.sd * size(column), column)}"


def size(column: Column) -> float:
    """What a figure is multiplied by to stand in the column's unit."""
    return 1e-6 if column.unit in ("m", "MB") else 1.0


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
        title = table.titled(column)
        unit = f" ({column.unit})" if column.unit and (table.shows_paper or column.unit != "m") else ""
        names += [f"{title}{unit}, {whose}" for whose in ("ours", "paper")] if table.shows_paper else [f"{title}{unit}"]
    return [*names, *(["Finding"] if table.shows_paper else []), "Status"]


def cells_of(table: Table, line: Line, marks: dict[tuple[str, ...], int]) -> list[str]:
    texts = [line.row.title + (f" ({line.row.cited})" if line.row.cited else "")]
    for name, column in table.columns.items():
        ours = line.ours(column)
        texts.append("" if line.cited else MISSING if ours is None else in_unit(ours, column, table.scale))
        if table.shows_paper:
            texts.append(in_print(table.printed(line, name)))
    if table.shows_paper:
        findings = {column.title: line.finding(name, column) for name, column in table.columns.items()}
        texts.append("; ".join(f"{title}: {found}" for title, found in findings.items() if found))
    return [*texts, line.said(lambda part: status_of(part, marks))]


def status_of(part: Part, marks: dict[tuple[str, ...], int]) -> str:
    """done (3 of 5 runs) [1], where [1] stands for the deviations of these runs."""
    judged = {run.id for run, _ in part.judged_by}
    fewer = part.group is not None and 0 < len(judged) < len(part.group.records)
    counted = f"{part.replicates}, the vectors of {len(judged)} evaluated" if fewer else part.replicates
    status = part.status + (f" ({counted})" if counted else "")
    return status + (f" [{marks.setdefault(part.deviations, len(marks) + 1)}]" if part.deviations else "")


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
    if table.scale == "mini":
        lines += [MINI, ""]
    lines += [join(row) for row in (head, alignment, *rows)]
    if marks:
        lines += ["", "Deviations from the paper, derived from the records:", ""]
        lines += [f"- [{mark}] {'; '.join(deviations)}" for deviations, mark in marks.items()]
    lines += comparisons(table)
    lines += ["", *(f"- {note}" for note in notes(table))]
    lines += ["", f"{table.spec.source} of {table.spec.reference}. Made by `attest collate` from the records; see "
              f"`attest show {table.spec.name}` for the runs and commands behind each row.", ""]  # fmt: skip
    return "\n".join(lines)


def comparisons(table: Table) -> list[str]:
    """Rows against rows, paired by replicate."""
    if not (found := compared(table)):
        return []
    head = [
        "Compared",
        "Difference, ours",
        "Over items",
        *(["Difference, paper"] if table.shows_paper else []),
        "Finding",
        "What is said",
    ]
    rows = []
    for each in found:
        titles = f"{each.first.row.title} − {each.second.row.title}"
        texts = [
            titles if len(table.columns) == 1 else f"{titles}, {table.titled(each.column)}",
            paired(each),
            over_items(each),
        ]
        if table.shows_paper:
            texts.append("" if each.printed is None else f"{each.printed:+.{each.column.decimals}f}")
        rows.append(join([*texts, each.verdict, each.text]))
    folds = " Over folds it is wider, for what their training sets share." if any(each.folds for each in found) else ""
    explained = (
        "Paired over replicates, with the interval that holds the true mean in 95 of 100 such experiments: it decides "
        f"the finding.{folds} Over items: the interval for the same runs on other test items of the kind. More pairs "
        "would tell a difference of the size and spread seen so far."
    )
    return ["", explained, "", join(head), join(["---"] * len(head)), *rows]


def paired(each: Compared) -> str:
    """+1.2 (+0.3 to +2.1), 5 pairs."""
    if each.differences is None:
        return MISSING
    around = "" if each.interval is None else f" ({from_to(each.interval, each.column)})"
    pairs = f"{each.differences.n} pair{'s' * (each.differences.n > 1)}"
    return f"{signed(each.differences.mean, each.column)}{around}, {pairs}"


def over_items(each: Compared) -> str:
    return MISSING if each.over_items is None else from_to(each.over_items, each.column)


def from_to(interval: tuple[float, float], column: Column) -> str:
    """+0.3 to +2.1."""
    low, high = interval
    return f"{signed(low, column)} to {signed(high, column)}"


def signed(difference: float, column: Column) -> str:
    return f"{difference * size(column):+,.{column.decimals}f}"


def summary(table: Table) -> str:
    """The rows that we run and the columns that have a finding, for the README."""
    columns = {name: column for name, column in table.columns.items() if column.margin is not None}
    lines = [line for line in table.lines if not line.cited]
    titles = [f"{table.titled(column)}{f' ({column.unit})' if column.unit else ''}" for column in columns.values()]
    head = ["Model", *(f"{title}, {whose}" for title in titles for whose in ("paper", "ours"))]
    rows = []
    for line in lines:
        texts = [line.row.title]
        for name, column in columns.items():
            ours, found = line.ours(column), line.finding(name, column)
            part = line.part(column)
            assert part is not None
            known = ", ".join(filter(None, [part.replicates, found]))
            mine = f"{in_unit(ours, column, table.scale)} ({known})" if ours else part.status
            texts += [in_print(line.row.paper.get(name)), mine]
        rows.append(join(texts))
    deviations = list(by_panel(part for line in lines for part in line.parts))
    tail = ["", f"Ours deviates from the paper: {'; '.join(deviations)}."] if deviations else []
    return "\n".join([join(head), join(["---"] * len(head)), *rows, *tail, ""])


def by_panel(parts: Iterable[Part]) -> Iterator[str]:
    """Each deviation once: those of every panel, then others with their panels in front."""
    panels: set[str] = set()
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        panels.add(part.panel.title)
        for text in part.deviations:
            found.setdefault(text, {})[part.panel.title] = None
    for text, titles in sorted(found.items(), key=lambda item: set(item[1]) != panels):
        yield text if set(titles) == panels else f"{', '.join(titles)}: {text}"


def join(texts: list[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def notes(table: Table) -> list[str]:
    """What a reader has to know beside the figures."""
    found = list(table.spec.notes) if table.scale == "paper" else []
    for line in table.lines:
        parts = [(title_of(line, part), part) for part in line.parts]
        if line.row.search:
            found += [f"{title}: {part.cell.variant} is shown, {how_chosen(part, line.row.search)}."
                      for title, part in parts if part.group]  # fmt: skip
        if line.row.note and table.shows_paper:
            found.append(f"{line.row.title}: {line.row.note}")
        if not line.row.search:
            found += [f"{title}: {len(part.others)} more group(s) of runs, see `attest show`."
                      for title, part in parts if part.others]  # fmt: skip
    found += [f"Which pairs are hard is still to be found: `{command}`." for command in table.missing_views]
    if any(part.group for line in table.lines for part in line.parts):
        nouns = " or ".join(dict.fromkeys(panel.replicates.noun for panel in table.panels))
        found.append(f"± is the standard deviation over {nouns}.")
    return found


def how_chosen(part: Part, search: Search) -> str:
    if part.settings_run == 1:
        return f"the only one of {len(search.values)} settings that has run, so nothing is chosen yet"
    return f"chosen by {search.select}"


def title_of(line: Line, part: Part) -> str:
    """The row, and the columns where only some are meant."""
    return line.row.title if len(line.parts) == 1 else f"{line.row.title}, {part.panel.title}"
