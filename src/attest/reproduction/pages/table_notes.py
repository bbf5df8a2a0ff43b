"""The notes of a table's page: how the figures were made, and what is missing."""

from attest.reproduction.commands_to_type import show_command
from attest.reproduction.pages.other_runs import result_title
from attest.reproduction.pages.run_notes import one_label_notes, run_notes
from attest.reproduction.specs.rows import RowSearch
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Table


def table_notes(table: Table) -> list[str]:
    """Return the notes of the specification and of its rows, and what is still missing."""
    notes = list(table.spec.notes) if table.scale == "paper" else []
    for row in table.rows:
        titled_results = [(result_title(row, result), result) for result in row.results]
        if row.spec.search:
            notes += [f"{title}: {result.cell.variant} is shown, {selection_note(result, row.spec.search)}."
                      for title, result in titled_results if result.group]  # fmt: skip
        if row.spec.note and table.shows_paper:
            notes.append(f"{row.spec.title}: {row.spec.note}")
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


def selection_note(result: PanelResult, search: RowSearch) -> str:
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
    if selection.compared_count == 1:
        return f"the only one of {settings} settings with as many runs, so nothing is selected yet"
    return f"selected by {search.select} among the {selection.compared_count} of {settings} settings with as many runs"
