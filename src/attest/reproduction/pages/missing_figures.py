"""The reason why a figure of a paper is not drawn, and the commands that draw it."""

from attest.reproduction.commands_to_type import reproduce_command
from attest.reproduction.figures.rows import figure_rows, figure_runs
from attest.reproduction.specs.figure import FigureSpec
from attest.reproduction.tables.table import Table

REQUIRED_DATA = {
    "lengths": "predictions with the lengths of the sentences",
    "epochs": "a curve with the accuracy on the test set",
}
"""The kind of a figure -> the data that it needs from each run."""


def explain_missing(spec: FigureSpec, table: Table) -> str:
    """Return a text on why the figure is not drawn, and on the commands that train its runs and draw it."""
    at_paper = table.scale == "paper"
    draws = f"`attest publish {spec.name}`" if at_paper else f"`attest figures {spec.name} scale={table.scale}`"
    if reason := unavailable_reason(spec, table):
        return f"Cannot be drawn: the data are unavailable. {reason[:1].upper()}{reason[1:]}."
    trains = f"`{reproduce_command(table, spec.rows)}` trains the runs"
    if spec.shows in ("lengths", "epochs"):
        reason = f"no run of {spec.table} has left {REQUIRED_DATA[spec.shows]}"
        return f"Not drawn yet: {reason}. {trains}, {draws} draws the figure."
    if spec.shows == "sizes":
        before = "".join(f"`{command}` finds the hard pairs, " for command in table.missing_subset_commands)
        return f"Not drawn yet: {before}{trains}, {draws} draws the figure."
    newest = next((run.id for _, _, run in figure_runs(spec, table)), None)
    attends = f"`attest attend {newest or 'RUN'} --figure {spec.name}` records the attention of one of them"
    if newest:
        reason = f"no run of {spec.table} has a record of its attention in these sentences"
        return f"Not drawn yet: {reason}. {attends}, {draws} draws the figure."
    rows = " and ".join(spec.rows)
    return f"Not drawn yet: there are no runs of {rows} in {spec.table}. {trains}, {attends}, {draws} draws the figure."


def unavailable_reason(spec: FigureSpec, table: Table) -> str:
    """Return why the data sets of all runs of the figure are unavailable; empty if one of them is available."""
    results = [result for _, result in figure_rows(spec, table)]
    if not results or any(result.status != "data unavailable" for result in results):
        return ""
    return results[0].cell.settings.dataset.unavailable
