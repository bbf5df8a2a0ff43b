"""The notes of a table's page: its signs and words, how the figures were made, and what is missing."""

from attest.reproduction.pages.numbers import with_unit
from attest.reproduction.pages.other_runs import result_title
from attest.reproduction.pages.run_notes import run_notes
from attest.reproduction.pages.uncommitted import UNCOMMITTED, again_command
from attest.reproduction.specs.added_rows import added_rows_words
from attest.reproduction.specs.metric_names import is_count
from attest.reproduction.specs.rows import Search
from attest.reproduction.tables.budget import REDUCED
from attest.reproduction.tables.comparisons import comparison_results
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Table

FINDINGS = (
    '"Finding" compares our mean with the figure of the paper.',
    '"within": the 95% interval of our mean lies inside the margin around the paper\'s figure, which the table fixed '
    "before any run.",
    '"above", "below": our mean lies on that side by more than the margin, and the paper\'s figure is outside the 95% '
    "prediction interval of our runs.",
    '"undecided": neither is the case, or there is only one run or all runs are equal, so that there is no interval.',
)
BEST = (
    "A figure of the paper that is the best of several runs is compared with our best of as many, and is undecided "
    "until we have two such bests."
)
COMMITS = (
    "The runs of a row come from up to {commits} commits of the code. Its versions of model, head, optimizer, data "
    "preparation and protocol are equal in all of them. `attest show RUN` names the commit of a run."
)


def legend(table: Table, has_marks: bool, *, of_paper: bool) -> list[str]:
    """Return what the signs and words of the table mean, as far as they occur in it.

    `of_paper` says whether the settings of its rows are those of a paper.
    """
    results = [result for line in table.lines for result in line.results]
    texts = []
    if any(result.group and not all(map(is_count, result.panel.metrics)) for result in results):
        nouns = " or ".join(dict.fromkeys(panel.replicates.noun for panel in table.panels))
        texts.append(f"± is the standard deviation over {nouns}.")
    if any(" of " in result.replicates_text for result in results if result.group):
        texts.append('"done (3 of 5 runs)": the figures are those of 3 of the 5 runs that the table asks for.')
    findings = table.findings if table.shows_paper else []
    if findings:
        texts += [*FINDINGS, margins(table)]
        texts += [BEST] * any(figure.of == "best" for line in table.lines for figure in line.row.paper.values())
    compared = [comparison.finding or "" for comparison in comparison_results(table)]
    if any(REDUCED in finding for finding in (*findings, *compared)):
        whose = "the paper's" if of_paper else "the table asks for"
        texts.append(f'"{REDUCED}": our runs had less data, fewer steps or fewer word vectors than {whose}.')
    if any(result.uncommitted for result in results):
        texts.append(
            f'"{UNCOMMITTED}": the code of that many runs had uncommitted changes. '
            f"`{again_command(table)}` makes these runs again."
        )
    groups = [result.group for result in results if result.group]
    commits = max((len({run.environment.get("commit") for run in group.records}) for group in groups), default=0)
    if commits > 1:
        texts.append(COMMITS.format(commits=commits))
    if has_marks:
        origin = "paper" if of_paper else "table"
        texts.append(
            f'A number in brackets in "Status", such as [1], refers to the deviations from the {origin} below.'
        )
    return texts


def show_command(table: Table) -> str:
    """Return the command that lists the runs of a table at its scale; without a scale, it is that of the paper."""
    scale = [f"scale={table.scale}"] * (table.scale != "paper")
    return " ".join(["attest show", table.spec.name, *added_rows_words(table.spec), *scale])


def margins(table: Table) -> str:
    """Return the margins of the columns as a sentence: "Margins: Pearson's r ± 0.005; Test (%) ± 0.5."."""
    texts = [
        f"{with_unit(table.titled(column), column.unit)} ± {column.margin:g}"
        for column in table.columns.values()
        if column.margin is not None
    ]
    return f"Margins: {'; '.join(texts)}."


def table_notes(table: Table) -> list[str]:
    """Return the notes of the specification and of its rows, and what is still missing."""
    notes = list(table.spec.notes) if table.scale == "paper" else []
    for line in table.lines:
        titled_results = [(result_title(line, result), result) for result in line.results]
        if line.row.search:
            notes += [f"{title}: {result.cell.variant} is shown, {selection_note(result, line.row.search)}."
                      for title, result in titled_results if result.group]  # fmt: skip
        if line.row.note and table.shows_paper:
            notes.append(f"{line.row.title}: {line.row.note}")
        notes += [f"{title}: {format_repeat_count(len(result.group.repeats), result.panel.replicates.axis)}; "
                  f"`{show_command(table)}` lists them."
                  for title, result in titled_results if result.group and result.group.repeats]  # fmt: skip
        notes += [f"{title}: {text}" for title, result in titled_results
                  for text in run_notes(result, table.predictions_behind)]  # fmt: skip
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
    selection, replicates = result.selection, result.panel.replicates
    assert selection is not None, "a row with a search and runs shows one of its settings"
    if selection.replicates:
        *others, last = map(str, selection.replicates)
        numbers = f"{replicates.axis}s {', '.join(others)} and {last}" if others else f"{replicates.axis} {last}"
        return f"selected by {search.select} on {numbers}, which all {settings} settings have"
    if len(selection.comparable) == 1:
        return f"the only one of {settings} settings that has run, so nothing is selected yet"
    if selection.among == 1:
        return f"the only one of {settings} settings with as many runs, so nothing is selected yet"
    return f"selected by {search.select} among the {selection.among} of {settings} settings with as many runs"
