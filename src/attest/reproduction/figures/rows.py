"""The rows and the runs that a figure shows."""

from collections.abc import Iterable, Iterator

from attest.reproduction.specs.figure import FigureSpec
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import Cell, cells
from attest.reproduction.tables.matching import RecordIndex
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.run_groups import RunGroup
from attest.reproduction.tables.table import RowResults, Table
from attest.runs.records import Record


def figure_rows(spec: FigureSpec, table: Table) -> Iterator[tuple[RowResults, PanelResult]]:
    """Yield the figure's rows, in its order, with their results in the panels whose runs it shows."""
    rows = {row.name: row for row in table.rows}
    only = table.spec.columns[spec.column].set if spec.column else None
    for row in map(rows.__getitem__, spec.rows):
        yield from ((row, result) for result in row.results if only in (None, result.panel.set))


def figure_runs(spec: FigureSpec, table: Table) -> Iterator[tuple[RowResults, RunGroup, Record]]:
    """Yield the runs of the figure, row by row: the least deviating group first, and its newest run first."""
    for row, result in figure_rows(spec, table):
        for group in result.groups:
            for run in sorted(group.records, key=lambda run: (run.finished, run.id), reverse=True):
                yield row, group, run


def figure_cells(spec: FigureSpec, scale: str) -> list[Cell]:
    """Return the experiments whose runs the figure shows at a scale, in its order."""
    table = load_table(spec.table)
    only = table.columns[spec.column].set if spec.column else None
    rows = [row for row in spec.rows if row in table.rows_at(scale)]
    return [cell for row in rows for cell in cells(table, scale, [row]) if only in (None, cell.panel.set)]


def finished_runs(spec: FigureSpec, scale: str, records: Iterable[Record]) -> list[Record]:
    """Return those of the records that are finished runs of the figure at a scale, the newest first."""
    index = RecordIndex(records)
    runs = [run for cell in figure_cells(spec, scale) for run in index.matching(cell, "done")]
    return sorted(runs, key=lambda run: (run.finished, run.id), reverse=True)
