"""A table as markdown. Every figure is computed here from records; nobody types one."""

from attest.reproduction.pages.numbers import MISSING, from_to, in_print, in_unit, join, signed, unit_of
from attest.reproduction.specs.metric_names import is_count
from attest.reproduction.specs.table import Search
from attest.reproduction.tables.build import Line, PanelResult, Table
from attest.reproduction.tables.comparisons import ComparisonResult, comparison_results

MINI = (
    "**Scale mini**: narrow models on the built-in corpora. It shows that the pipeline works and says nothing about "
    "the paper, whose figures are therefore not printed here."
)


def header(table: Table) -> list[str]:
    names = ["Model"]
    for column in table.columns.values():
        title, unit = table.titled(column), unit_of(column, table.scale)
        unit = f" ({unit})" if unit else ""
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
    return [*texts, line.per_panel_text(lambda result: status_of(result, marks))]


def status_of(result: PanelResult, marks: dict[tuple[str, ...], int]) -> str:
    """done (3 of 5 runs) [1], where [1] stands for the deviations of these runs."""
    judged = {run.id for run, _ in result.runs_with_transfers}
    fewer = result.group is not None and 0 < len(judged) < len(result.group.records)
    counted = f"{result.replicates}, the vectors of {len(judged)} evaluated" if fewer else result.replicates
    status = result.status + (f" ({counted})" if counted else "")
    return status + (f" [{marks.setdefault(result.deviations, len(marks) + 1)}]" if result.deviations else "")


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


def notes(table: Table) -> list[str]:
    """What a reader has to know beside the figures."""
    found = list(table.spec.notes) if table.scale == "paper" else []
    for line in table.lines:
        parts = [(title_of(line, result), result) for result in line.panels]
        if line.row.search:
            found += [f"{title}: {result.cell.variant} is shown, {how_chosen(result, line.row.search)}."
                      for title, result in parts if result.group]  # fmt: skip
        if line.row.note and table.shows_paper:
            found.append(f"{line.row.title}: {line.row.note}")
        if not line.row.search:
            found += [f"{title}: {len(result.other_groups)} more group(s) of runs, see `attest show`."
                      for title, result in parts if result.other_groups]  # fmt: skip
    found += [f"Which pairs are hard is still to be found: `{command}`." for command in table.missing_subset_commands]
    if any(
        result.group and not all(map(is_count, result.panel.metrics)) for line in table.lines for result in line.panels
    ):
        nouns = " or ".join(dict.fromkeys(panel.replicates.noun for panel in table.panels))
        found.append(f"± is the standard deviation over {nouns}.")
    return found


def how_chosen(result: PanelResult, search: Search) -> str:
    if result.settings_run == 1:
        return f"the only one of {len(search.values)} settings that has run, so nothing is chosen yet"
    return f"chosen by {search.select}"


def title_of(line: Line, result: PanelResult) -> str:
    """The row, and the columns where only some are meant."""
    return line.row.title if len(line.panels) == 1 else f"{line.row.title}, {result.panel.title}"


def comparisons(table: Table) -> list[str]:
    """Rows against rows, paired by replicate."""
    if not (found := comparison_results(table)):
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


def paired(each: ComparisonResult) -> str:
    """+1.2 (+0.3 to +2.1), 5 pairs."""
    if each.differences is None:
        return MISSING
    around = "" if each.interval is None else f" ({from_to(each.interval, each.column)})"
    pairs = f"{each.differences.n} pair{'s' * (each.differences.n > 1)}"
    return f"{signed(each.differences.mean, each.column)}{around}, {pairs}"


def over_items(each: ComparisonResult) -> str:
    return MISSING if each.over_items is None else from_to(each.over_items, each.column)
