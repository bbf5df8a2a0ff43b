"""What stands behind a figure: which runs, on which data, and the numbers that are drawn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from attest.attending import Seen, attention_id, seen
from attest.records import Record, Store
from attest.reproduction.figures.lengths import by_length
from attest.reproduction.figures.spec import Picture
from attest.reproduction.matching import Group
from attest.reproduction.table import Line, Part, Table


@dataclass(frozen=True, eq=False)
class Curve:
    """One row of the table."""

    title: str
    runs: tuple[Record, ...]
    """Those whose predictions tell the lengths of the sentences."""
    left_out: int
    """How many do not: their records are older than that."""
    deviations: tuple[str, ...]
    accuracy_RB: np.ndarray
    counts_B: np.ndarray


@dataclass(frozen=True, eq=False)
class Lengths:
    curves: tuple[Curve, ...]

    @property
    def ids(self) -> list[str]:
        """The records that are needed to draw it."""
        return [run.id for curve in self.curves for run in curve.runs]


@dataclass(frozen=True, eq=False)
class Attended:
    """What one run saw in the figure's sentences."""

    record: Record
    run: Record
    title: str
    """Of the run's row."""
    deviations: tuple[str, ...]
    sentences: tuple[Seen, ...]

    @property
    def ids(self) -> list[str]:
        return [self.run.id, self.record.id]


Content = Lengths | Attended


@dataclass(frozen=True, eq=False)
class Shown:
    """A figure, the table that its runs belong to, and what there is to draw."""

    picture: Picture
    table: Table
    content: Content | None


def behind(picture: Picture, table: Table, attention: Iterable[Record], stores: Sequence[Store]) -> Content | None:
    """None where there is nothing to draw."""
    if picture.shows == "lengths":
        curves = [curve_of(picture, line, part, stores) for line, part in shown(picture, table)]
        found = tuple(curve for curve in curves if curve is not None)
        return Lengths(found) if any(curve.runs for curve in found) else None
    known = {record.id: record for record in attention}
    for line, group, run in runs(picture, table):
        record = known.get(attention_id(run.id, picture.texts))
        arrays = arrays_of(record.id, stores) if record else None
        if record and arrays is not None:
            return Attended(record, run, line.row.title, group.deviations, tuple(seen(record, arrays)))
    return None


def shown(picture: Picture, table: Table) -> Iterator[tuple[Line, Part]]:
    """The figure's rows, in its order."""
    lines = {line.name: line for line in table.lines}
    for row in picture.rows:
        yield from ((lines[row], part) for part in lines[row].parts)


def runs(picture: Picture, table: Table) -> Iterator[tuple[Line, Group, Record]]:
    """The runs of the figure's rows: the least deviating first, and of replicates the newest."""
    for line, part in shown(picture, table):
        for group in part.groups:
            for run in sorted(group.records, key=lambda run: (run.finished, run.id), reverse=True):
                yield line, group, run


def curve_of(picture: Picture, line: Line, part: Part, stores: Sequence[Store]) -> Curve | None:
    if part.group is None:
        return None
    found: list[tuple[Record, np.ndarray, np.ndarray]] = []
    for run in part.group.records:
        predictions = arrays_of(run.id, stores)
        if predictions and "lengths" in predictions:
            found.append((run, *by_length(predictions, picture.bins, picture.length)))
    return Curve(
        line.row.title,
        tuple(run for run, _, _ in found),
        len(part.group.records) - len(found),
        part.group.deviations,
        np.array([accuracy_B for _, accuracy_B, _ in found]),
        found[0][2] if found else np.zeros(len(picture.bins)),
    )


def arrays_of(identity: str, stores: Sequence[Store]) -> Mapping[str, np.ndarray] | None:
    """The arrays beside a record, from the first store that has them."""
    return next((store.predictions(identity) for store in stores if store.arrays(identity).is_file()), None)
