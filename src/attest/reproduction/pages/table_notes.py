"""The notes of a table's page: how the figures were made, and what is missing."""

from attest.reproduction.pages.other_runs import result_title
from attest.reproduction.pages.run_notes import one_label_notes, run_notes
from attest.reproduction.specs.added_rows import added_rows_words
from attest.reproduction.specs.rows import Search
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Table


def show_command(table: Table) -> str:
    """Return the command that lists the runs of a table at its scale; without a scale, it is that of the paper."""
    scale = [f"scale={table.scale}"] * (table.scale != "paper")
    return " ".join(["attest show", table.spec.name, *added_rows_words(table.spec), *scale])


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
        notes += [f"{title}: {text}" for title, result in titled_results for text in run_notes(result)]
    notes += one_label_notes(table)
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
