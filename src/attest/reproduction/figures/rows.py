"""The rows and the runs that a figure shows."""

from collections.abc import Iterator

from attest.reproduction.specs.figure import Picture
from attest.reproduction.tables.groups import Group
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Line, Table
from attest.runs.records import Record


def figure_rows(picture: Picture, table: Table) -> Iterator[tuple[Line, PanelResult]]:
    """Yield the figure's rows, in its order, with their results in the panels whose runs it shows."""
    lines = {line.name: line for line in table.lines}
    only = table.spec.columns[picture.column].set if picture.column else None
    for row in picture.rows:
        yield from ((lines[row], result) for result in lines[row].results if only in (None, result.panel.set))


def figure_runs(picture: Picture, table: Table) -> Iterator[tuple[Line, Group, Record]]:
    """Yield the runs of the figure, row by row: the least deviating group first, and its newest run first."""
    for line, result in figure_rows(picture, table):
        for group in result.groups:
            for run in sorted(group.records, key=lambda run: (run.finished, run.id), reverse=True):
                yield line, group, run
