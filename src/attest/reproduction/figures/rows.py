"""The rows and the runs that a figure shows."""

from collections.abc import Iterable, Iterator

from attest.reproduction.specs.figure import Picture
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import Cell, cells
from attest.reproduction.tables.groups import Group
from attest.reproduction.tables.matching import RecordIndex
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


def figure_cells(picture: Picture, scale: str) -> list[Cell]:
    """Return the experiments whose runs the figure shows at a scale, in its order."""
    spec = load_table(picture.table)
    only = spec.columns[picture.column].set if picture.column else None
    rows = [row for row in picture.rows if row in spec.rows_at(scale)]
    return [cell for row in rows for cell in cells(spec, scale, [row]) if only in (None, cell.panel.set)]


def finished_runs(picture: Picture, scale: str, records: Iterable[Record]) -> list[Record]:
    """Return those of the records that are finished runs of the figure at a scale, the newest first."""
    index = RecordIndex(records)
    runs = [run for cell in figure_cells(picture, scale) for run in index.matching(cell, "done")]
    return sorted(runs, key=lambda run: (run.finished, run.id), reverse=True)
