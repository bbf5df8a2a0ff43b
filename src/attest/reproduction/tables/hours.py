"""The time that the runs of a table take on a CPU, measured or predicted from the time of their steps."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from attest.config.settings import Protocol
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import RowResults
from attest.reproduction.tables.timed_runs import used_gpu
from attest.runs.records import Record

TOLERANCE = 0.01
"""The relative difference of two numbers of steps that count as equal: data that lack some rows have shorter epochs."""


@dataclass(frozen=True, kw_only=True)
class RunTime:
    """The number of runs that a table asks for, and the seconds that they take one after another."""

    runs: int = 0
    timed: int = 0
    """The number of runs of whose steps a record has the time."""
    measured: float = 0.0
    """The seconds of runs of which a record has all steps."""
    predicted: float = 0.0
    """The seconds of the other timed runs, from the time of a step in shorter runs."""

    def __add__(self, other: "RunTime") -> "RunTime":
        return RunTime(
            runs=self.runs + other.runs,
            timed=self.timed + other.timed,
            measured=self.measured + other.measured,
            predicted=self.predicted + other.predicted,
        )


def time_of_rows(rows: Iterable[RowResults], scale: str) -> RunTime:
    """Return the time of all runs of some rows, which counts runs that several rows show once."""
    return sum(times_by_cell(rows, scale).values(), RunTime())


def times_by_cell(rows: Iterable[RowResults], scale: str) -> dict[str, RunTime]:
    """Return the time of the runs of each cell by its id; of a cell that several rows show, that of the most runs."""
    times: dict[str, RunTime] = {}
    for row in rows:
        for result in row.results:
            time, cell = time_of_result(row, result, scale), result.cell.id
            times[cell] = max(times.get(cell, time), time, key=lambda known: known.runs)
    return times


def time_of_result(row: RowResults, result: PanelResult, scale: str) -> RunTime:
    """Return the time of the runs of a row in one panel: the median over records, times the number of runs.

    Records with all steps go before others. A search makes its replicates for each setting that it tries.
    """
    runs = result.panel.replicates.count(scale) * (len(row.spec.search.overrides(scale)) if row.spec.search else 1)
    records = [record for group in result.groups for record in group.records if record.cost and not used_gpu(record)]
    times = {record.id: full_seconds(record, result.cell.settings.protocol) for record in records}
    timed = [(record, seconds) for record in records if (seconds := times[record.id]) is not None]
    if not timed:
        return RunTime(runs=runs)
    whole = [seconds for record, seconds in timed if has_all_steps(record, seconds)]
    seconds = runs * median(whole or [seconds for _, seconds in timed])
    if whole:
        return RunTime(runs=runs, timed=runs, measured=seconds)
    return RunTime(runs=runs, timed=runs, predicted=seconds)


def has_all_steps(record: Record, seconds: float) -> bool:
    """Return whether a run took the seconds that it takes with all steps, and not a share of them."""
    return record.cost is not None and abs(seconds / record.cost.wall_seconds - 1) < TOLERANCE


def full_seconds(record: Record, protocol: Protocol) -> float | None:
    """Return the seconds that a run takes with the budget of a protocol and the official data; None if not timed.

    Evaluation is taken to last as long, compared with the steps, as it did in the record.
    """
    if record.cost is None or not record.curve or record.cost.step_seconds <= 0:
        return None
    ends = []
    if protocol.steps is not None:
        ends.append(record.cost.step_seconds / record.curve[-1]["step"] * protocol.steps)
    if protocol.epochs is not None:
        ends.append(record.cost.full_epoch_seconds * protocol.epochs)
    return min(ends) * record.cost.wall_seconds / record.cost.step_seconds if ends else None
