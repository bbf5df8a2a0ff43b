"""The runs of a table that are retried because no commit holds their code."""

from collections.abc import Mapping, Sequence

from attest.errors import SettingsError
from attest.reproduction.load import stores_in
from attest.reproduction.tables.cells import Cell, repeat_overrides
from attest.reproduction.tables.matching import RecordIndex
from attest.runs.known_stores import all_records, scale_and_results
from attest.runs.records import Record
from attest.system.checkout import checkout_state

Runs = Mapping[str, tuple[Cell, Record]]
"""The id of a run -> its cell and its record."""


def uncommitted_runs(cells: Sequence[Cell], location_overrides: Sequence[str]) -> Runs:
    """Return the finished runs of the cells whose code had uncommitted changes.

    `location_overrides` are those of the scale and the paths. Raise SettingsError if there are such runs and this
    checkout has uncommitted changes too: the new runs would be marked as well.
    """
    _, folders = scale_and_results(location_overrides)
    index = RecordIndex(record for record in all_records(stores_in(folders)) if record.uncommitted)
    runs = {record.id: (cell, record) for cell in cells for record in index.matching(cell, "done")}
    if runs and checkout_state().get("uncommitted_changes"):
        raise SettingsError(
            "again=uncommitted: this checkout has uncommitted changes too; commit them first, or the new runs are "
            "marked as well"
        )
    return runs


def retry_jobs(runs: Runs) -> dict[str, list[str]]:
    """Return the overrides that retry runs, by a name for people to read."""
    return {
        f"{cell.row} {run_id}": [*cell.overrides, *repeat_overrides(record, cell)]
        for run_id, (cell, record) in runs.items()
    }
