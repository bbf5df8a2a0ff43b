"""What stands behind a figure: which runs, on which data, and the numbers that are drawn.

Legend: R runs, C bins of lengths or epochs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from attest.inference.attention_maps import Seen, attention_id, seen
from attest.reproduction.specs.figure import Picture
from attest.reproduction.specs.metric_names import subset_of
from attest.reproduction.tables.build import Line, PanelResult, Table
from attest.reproduction.tables.matching import Group
from attest.reproduction.tables.statistics import Summary
from attest.reproduction.tables.subsets import arrays_of
from attest.runs.records import Record, Store


@dataclass(frozen=True, eq=False)
class Curve:
    """One row of the table."""

    title: str
    runs: tuple[Record, ...]
    """Those whose records tell what is drawn: the lengths of the sentences, or the test set by epoch."""
    left_out: int
    """How many do not."""
    deviations: tuple[str, ...]
    accuracy_RC: np.ndarray
    """Test accuracy of each run in each bin of lengths, or after each epoch."""
    along_C: np.ndarray
    """How many sentences a bin holds, or the epochs."""


@dataclass(frozen=True, eq=False)
class Curves:
    curves: tuple[Curve, ...]

    @property
    def ids(self) -> list[str]:
        """The records that are needed to draw it."""
        return [run.id for curve in self.curves for run in curve.runs]


@dataclass(frozen=True)
class Growth:
    """One row of the table, by the size of the training set."""

    title: str
    of_size: Mapping[int, Summary]
    runs: tuple[str, ...]
    """Their ids."""
    deviations: tuple[str, ...]


@dataclass(frozen=True)
class Sizes:
    rows: tuple[Growth, ...]
    measure: str
    ids: list[str]
    """The records that are needed to draw it."""


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

    def said(self, mark: str = "") -> str:
        """Which run this is; `mark` stands around what is a name."""
        settings = self.run.settings
        run, data, record = (f"{mark}{name}{mark}" for name in (self.run.id, self.run.fingerprint, self.record.id))
        penalty = f"penalty {settings['model.penalty']:g}, " if "model.penalty" in settings else ""
        scale = "" if settings["scale"] == "paper" else f" at scale {settings['scale']}"
        where = f"on {settings['dataset.name']}{scale}, data {data}"
        return f"Run {run} ({self.title}, {penalty}seed {self.run.seed}) {where}; record of attention {record}."


Content = Curves | Sizes | Attended


@dataclass(frozen=True, eq=False)
class Shown:
    """A figure, the table that its runs belong to, and what there is to draw."""

    picture: Picture
    table: Table
    content: Content | None


def behind(picture: Picture, table: Table, attention: Iterable[Record], stores: Sequence[Store]) -> Content | None:
    """None where there is nothing to draw."""
    if picture.shows in ("lengths", "epochs"):
        curves = [curve_of(picture, line, result, stores) for line, result in shown(picture, table)]
        found = tuple(curve for curve in curves if curve is not None)
        return Curves(found) if any(curve.runs for curve in found) else None
    if picture.shows == "sizes":
        return sizes_of(picture, table)
    known = {record.id: record for record in attention}
    for line, group, run in runs(picture, table):
        record = known.get(attention_id(run.id, picture.texts))
        arrays = arrays_of(record.id, stores) if record else None
        if record and arrays is not None:
            return Attended(record, run, line.row.title, group.deviations, tuple(seen(record, arrays)))
    return None


def shown(picture: Picture, table: Table) -> Iterator[tuple[Line, PanelResult]]:
    """The figure's rows, in its order."""
    lines = {line.name: line for line in table.lines}
    only = table.spec.columns[picture.column].set if picture.column else None
    for row in picture.rows:
        yield from ((lines[row], result) for result in lines[row].panels if only in (None, result.panel.set))


def runs(picture: Picture, table: Table) -> Iterator[tuple[Line, Group, Record]]:
    """The runs of the figure's rows: the least deviating first, and of replicates the newest."""
    for line, result in shown(picture, table):
        for group in result.groups:
            for run in sorted(group.records, key=lambda run: (run.finished, run.id), reverse=True):
                yield line, group, run


def curve_of(picture: Picture, line: Line, result: PanelResult, stores: Sequence[Store]) -> Curve | None:
    if result.group is None:
        return None
    told = [(run, points(picture, run, stores)) for run in result.group.records]
    found = [(run, *own) for run, own in told if own is not None]
    return Curve(
        line.row.title,
        tuple(run for run, _, _ in found),
        len(told) - len(found),
        result.group.deviations,
        np.array([accuracy_C for _, accuracy_C, _ in found]),
        found[0][2] if found else np.zeros(len(picture.bins)),
    )


def points(picture: Picture, run: Record, stores: Sequence[Store]) -> tuple[np.ndarray, np.ndarray] | None:
    """Accuracies of one run and where they belong; None where its record does not tell."""
    if picture.shows == "epochs":
        looks = [(entry["test/accuracy"], entry["epoch"]) for entry in run.curve if "test/accuracy" in entry]
        return (np.array(looks)[:, 0], np.array(looks)[:, 1]) if looks else None
    predictions = arrays_of(run.id, stores)
    return by_length(predictions, picture.bins, picture.length) if predictions and "lengths" in predictions else None


def sizes_of(picture: Picture, table: Table) -> Sizes | None:
    """The first column of each size, in the rows that have figures there."""
    found: dict[str, list[tuple[int, PanelResult, Summary]]] = {}
    for line, result in shown(picture, table):
        size, ours = result.cell.settings.protocol.examples, result.ours(result.panel.columns[result.panel.name])
        if size is not None and ours is not None:
            found.setdefault(line.row.title, []).append((size, result, ours))
    every = [result for points in found.values() for _, result, _ in points]
    if not every:
        return None
    return Sizes(
        tuple(
            Growth(
                title,
                {size: ours for size, _, ours in sorted(points, key=lambda point: point[0])},
                tuple(
                    record.id for _, result, _ in points for record in (result.group.records if result.group else ())
                ),
                tuple(dict.fromkeys(text for _, result, _ in points for text in result.deviations)),
            )
            for title, points in found.items()
        ),
        measure_of(every),
        [identity for result in every for identity in result.ids],
    )


def measure_of(parts: Sequence[PanelResult]) -> str:
    """What the axis says: accuracy, of which test pairs, and whether these are the published ones."""
    columns = [result.panel.columns[result.panel.name] for result in parts]
    which = "/".join(dict.fromkeys(f" on {subset_of(c.metric)} pairs" if subset_of(c.metric) else "" for c in columns))
    derived = any(result.derived(column) for result, column in zip(parts, columns, strict=True))
    return f"test accuracy{which}{', derived' * derived}, %"


def by_length(
    predictions: Mapping[str, np.ndarray], bins: Sequence[int], length: str = "longest"
) -> tuple[np.ndarray, np.ndarray]:
    """Accuracy in per cent (B,), NaN in an empty bin, and the number of examples (B,). The length of a pair is that of
    its longest sentence, or the mean of both."""
    words_NS = predictions["lengths"]
    length_N = words_NS.mean(1) if length == "mean" else words_NS.max(1)
    right_N = predictions["predictions"] == predictions["labels"]
    bin_N = np.digitize(length_N, bins) - 1  # -1 where shorter than the first bin
    inside_N = bin_N >= 0
    counts_B = np.bincount(bin_N[inside_N], minlength=len(bins))
    right_B = np.bincount(bin_N[inside_N], right_N[inside_N], minlength=len(bins))
    return 100 * right_B / np.where(counts_B, counts_B, np.nan), counts_B


def labels(bins: Sequence[int]) -> list[str]:
    """5\N{EN DASH}8 and the like; the last bin has no end. A mean of 8.5 lies in that bin too."""
    closed = [(first, after - 1) for first, after in pairwise(bins)]
    texts = [f"{first}" if first == last else f"{first}\N{EN DASH}{last}" for first, last in closed]
    return [*texts, f"\N{GREATER-THAN OR EQUAL TO}{bins[-1]}"]
