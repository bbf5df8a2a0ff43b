"""A table as a markdown page. Every figure is computed here from records; no figure is typed by hand."""

from collections.abc import Iterable

from attest.reproduction.pages.learning_curves import render_learning_curves
from attest.reproduction.pages.markdown_parts import bullets, nested_bullets, section
from attest.reproduction.pages.numbers import (
    MISSING,
    displayed_unit,
    escape_markdown,
    format_interval,
    format_mean_difference,
    format_p,
    format_printed,
    format_summary,
    table_row,
)
from attest.reproduction.pages.other_runs import list_other_runs, result_title
from attest.reproduction.pages.summary import summary
from attest.reproduction.pages.uncommitted import UNCOMMITTED, again_command, count_uncommitted
from attest.reproduction.specs.metric_names import is_count
from attest.reproduction.specs.table import Search
from attest.reproduction.tables.budget import REDUCED
from attest.reproduction.tables.comparisons import ComparisonResult, comparison_results
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Line, Table
from attest.runs.devices_used import describe_uses, has_moved
from attest.runs.records import Record

MINI = (
    "**Scale mini**: narrow models on the built-in corpora. This page shows that the pipeline works and says nothing "
    "about the paper, whose figures are therefore left out."
)
FINDINGS = (
    '"Finding" compares our mean with the figure of the paper.',
    '"within": the 95% interval of our mean lies inside the margin around the paper\'s figure, which the table fixed '
    "before any run.",
    '"above", "below": our mean lies on that side by more than the margin, and the paper\'s figure is outside the 95% '
    "prediction interval of our runs.",
    '"undecided": neither is the case, or there is only one run, which has no interval.',
)
BEST = (
    "A figure of the paper that is the best of several runs is compared with our best of as many, and is undecided "
    "until we have two such bests."
)
COMPARISONS = (
    '"Difference, ours" is the mean over pairs: both rows with the same seed or fold. In brackets stands its 95% '
    "confidence interval.",
    '"p" is the probability of a difference at least this large between equal rows, corrected for the number of '
    "comparisons in this table (Holm's method). It decides the finding.",
    '"Over items" is the 95% interval of the same difference for the same runs on other test items of this kind.',
    '"above", "below": the figure of the first row is higher or lower than that of the second, with p below 0.05.',
    '"undecided": p is higher, or there is only one pair, which has no interval.',
)
OTHER_RUNS = (
    "These groups of runs belong to rows above, and enter no figure there. A row shows published runs before others, "
    "and longer runs than the table asks for last; else the group with most replicates, then most data, fewest "
    "deviations and most steps. Behind each semicolon stands a deviation that the runs shown do not have."
)
MORE_PAIRS = (
    '"4 more pairs" is the number of further seeds at which a difference of this size would become significant. No '
    "number stands where it would take over 1,000 pairs in all, or where pairs are folds, of which there are no more."
)
OVERLAP = (
    "Over folds, or splits that the seed draws, intervals are wider than over runs on one split, because the training "
    "sets overlap."
)


def table_header(table: Table) -> list[str]:
    """Return the head of each column of the page: the model, ours and the paper's figures, finding and status."""
    names = ["Model"]
    for column in table.columns.values():
        title, unit = table.titled(column), displayed_unit(column, table.scale)
        unit = f" ({unit})" if unit else ""
        names += [f"{title}{unit}, {whose}" for whose in ("ours", "paper")] if table.shows_paper else [f"{title}{unit}"]
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
        findings = {column.title: line.finding(name, column) for name, column in table.columns.items()}
        texts.append("; ".join(f"{title}: {finding}" for title, finding in findings.items() if finding))
    return [*texts, line.per_panel_text(lambda result: format_status(result, marks))]


def format_status(result: PanelResult, marks: dict[tuple[str, ...], int]) -> str:
    """Return the status with the replicates and the number of the list of deviations: done (3 of 5 runs) [1]."""
    evaluated = {run.id for run, _ in result.runs_with_transfers}
    fewer = result.group is not None and 0 < len(evaluated) < len(result.group.records)
    counted = f"{result.replicates}, the vectors of {len(evaluated)} evaluated" if fewer else result.replicates
    marked = count_uncommitted(result.group)
    status = result.status + (f" ({', '.join(filter(None, [counted, marked]))})" if counted else "")
    return status + (f" [{marks.setdefault(result.deviations, len(marks) + 1)}]" if result.deviations else "")


def render_table(table: Table) -> str:
    """Return the page of a table: rows, how to read them, comparisons, deviations from the paper, other runs, notes."""
    marks: dict[tuple[str, ...], int] = {}
    head = table_header(table)
    rows = [row_cells(table, line, marks) for line in table.lines]
    texts = 2 if table.shows_paper else 1
    alignment = ["---", *["---:"] * (len(head) - 1 - texts), *["---"] * texts]
    lines = [f"# {table.spec.title}", ""]
    if table.scale == "mini":
        lines += [MINI, ""]
    else:
        lines += [summary(table), ""]
    lines += [table_row(row) for row in (head, alignment, *rows)]
    lines += section("How to read this table", bullets(legend(table, bool(marks))))
    lines += section("Comparisons of rows", render_comparisons(table))
    lines += section("Learning curves", render_learning_curves(table))
    lines += section("Deviations from the paper", [] if not marks else [
        "Derived from the records of the runs.", "",
        *(text for deviations, mark in marks.items() for text in nested_bullets(f"[{mark}]", deviations))])  # fmt: skip
    lines += section("Other runs", [OTHER_RUNS, "", *others] if (others := list(list_other_runs(table))) else [])
    lines += section("Notes", bullets(table_notes(table)))
    lines += ["", f"Source: {table.spec.source}. Paper: {table.spec.reference}.", "",
              "Made by `attest collate` from the records. "
              f"`attest show {table.spec.name}` lists the runs and commands behind each row.", ""]  # fmt: skip
    return "\n".join(lines)


def legend(table: Table, has_marks: bool) -> list[str]:
    """Return what the signs and words of the table mean, as far as they occur in it."""
    results = [result for line in table.lines for result in line.panels]
    texts = []
    if any(result.group and not all(map(is_count, result.panel.metrics)) for result in results):
        nouns = " or ".join(dict.fromkeys(panel.replicates.noun for panel in table.panels))
        texts.append(f"± is the standard deviation over {nouns}.")
    cells = [(line, name, column) for line in table.lines for name, column in table.columns.items()]
    findings = [line.finding(name, column) for line, name, column in cells if table.shows_paper]
    if any(findings):
        texts += [*FINDINGS, margins(table)]
        texts += [BEST] * any(figure.of == "best" for line in table.lines for figure in line.row.paper.values())
    findings += [comparison.finding for comparison in comparison_results(table)]
    if any(REDUCED in word for word in findings if word):
        texts.append(f'"{REDUCED}": our runs had less data, fewer steps or fewer word vectors than the paper\'s.')
    if any(result.uncommitted for result in results):
        texts.append(
            f'"{UNCOMMITTED}": the code of so many runs had changes that no commit holds. '
            f"`{again_command(table)}` makes these runs again."
        )
    if has_marks:
        texts.append('A number in brackets in "Status", such as [1], refers to the deviations from the paper below.')
    return texts


def margins(table: Table) -> str:
    """Return the margins of the columns as a sentence: "Margins: Pearson's r ± 0.005; Test (%) ± 0.5."."""
    texts = [
        f"{table.titled(column)}{f' ({column.unit})' if column.unit else ''} ± {column.margin:g}"
        for column in table.columns.values()
        if column.margin is not None
    ]
    return f"Margins: {'; '.join(texts)}."


def device_notes(records: Iterable[Record]) -> list[str]:
    """Return a sentence on each run that was trained on more than one device."""
    return [
        f"{record.id} was trained on {escape_markdown(describe_uses(record.devices))}; devices differ in rounding."
        for record in records
        if has_moved(record.devices)
    ]


def table_notes(table: Table) -> list[str]:
    """Return the notes of the specification and of its rows, and what is still missing."""
    notes = list(table.spec.notes) if table.scale == "paper" else []
    for line in table.lines:
        titled_results = [(result_title(line, result), result) for result in line.panels]
        if line.row.search:
            notes += [f"{title}: {result.cell.variant} is shown, {selection_note(result, line.row.search)}."
                      for title, result in titled_results if result.group]  # fmt: skip
        if line.row.note and table.shows_paper:
            notes.append(f"{line.row.title}: {line.row.note}")
        notes += [f"{title}: {format_repeat_count(len(result.group.repeats), result.panel.replicates.axis)}; "
                  f"`attest show {table.spec.name}` lists them."
                  for title, result in titled_results if result.group and result.group.repeats]  # fmt: skip
        notes += [f"{title}: {text}" for title, result in titled_results if result.group
                  for text in device_notes(result.group.records)]  # fmt: skip
    notes += [f"The hard pairs are not known yet: `{command}` finds them." for command in table.missing_subset_commands]
    return notes


def format_repeat_count(count: int, axis: str) -> str:
    """Return 1 further record repeats a seed and is not counted, or 2 further records repeat a seed and are not
    counted."""
    repeat = (
        f"1 further record repeats a {axis} and is"
        if count == 1
        else f"{count} further records repeat a {axis} and are"
    )
    return f"{repeat} not counted"


def selection_note(result: PanelResult, search: Search) -> str:
    """Return a text on how the setting shown was selected among those of the search."""
    settings = len(search.overrides(result.cell.settings.scale))
    if len(result.comparable) == 1:
        return f"the only one of {settings} settings that has run, so nothing is selected yet"
    if result.selected_from == 1:
        return f"the only one of {settings} settings with as many runs, so nothing is selected yet"
    return f"selected by {search.select}"


def render_comparisons(table: Table) -> list[str]:
    """Return the lines of the comparisons of rows with rows and how to read them; no lines if the table has none."""
    if not (comparisons := comparison_results(table)):
        return []
    printed = ["Difference, paper"] if any(comparison.printed is not None for comparison in comparisons) else []
    head = ["Compared", "Difference, ours", "p", "Over items", *printed, "Finding", "Claim"]
    rows = []
    for comparison in comparisons:
        titles = f"{comparison.first.row.title} − {comparison.second.row.title}"
        texts = [
            titles if len(table.columns) == 1 else f"{titles}, {table.titled(comparison.column)}",
            format_pairs(comparison),
            MISSING if comparison.adjusted_p is None else format_p(comparison.adjusted_p),
            format_item_interval(comparison),
        ]
        if printed:
            value = comparison.printed
            texts.append("" if value is None else f"{value:+.{comparison.column.decimals}f}")
        rows.append(table_row([*texts, comparison.verdict, comparison.text]))
    explained: list[str] = [*COMPARISONS]
    if any(comparison.pairs_needed for comparison in comparisons):
        explained.append(MORE_PAIRS)
    if any(comparison.overlap for comparison in comparisons if comparison.adjusted_p is not None):
        explained.append(OVERLAP)
    return [table_row(head), table_row(["---"] * len(head)), *rows, "", *bullets(explained)]


def format_pairs(comparison: ComparisonResult) -> str:
    """Return the mean difference, its interval and the number of pairs: +1.2 (+0.3 to +2.1), 5 pairs."""
    if comparison.differences is None:
        return MISSING
    return format_mean_difference(comparison.differences, comparison.interval, comparison.column)


def format_item_interval(comparison: ComparisonResult) -> str:
    """Return the interval over test items, or a dash if the predictions do not give one."""
    return MISSING if comparison.over_items is None else format_interval(comparison.over_items, comparison.column)
