"""The table of a sweep: one row for each combination of its axes, with the figures of its replicates.

A sweep is the grid of one command, or any finished runs (see attest.reproduction.tables.compared_runs).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from attest.reproduction.tables.measures import best_on_dev, measure_of
from attest.reproduction.tables.metrics import metric_value, overlap_of_splits
from attest.reproduction.tables.statistics import Summary, mean_interval
from attest.reproduction.tables.varied import ABSENT
from attest.runs.records import Record

FOLD = "protocol.fold"
"""The key in which the replicates of a sweep over folds differ."""


@dataclass(frozen=True)
class SweepRow:
    """The runs of one combination of the axes."""

    values: tuple[str, ...]
    runs: Mapping[str, Record]
    """The replicate -> the record of its finished run."""
    failures: Mapping[str, str] = field(default_factory=dict)
    """The replicate -> the error of its failed run."""

    @cached_property
    def measure(self) -> str:
        """The measure of the task, such as accuracy; empty without finished runs."""
        return next((measure_of(record) for record in self.runs.values()), "")

    def figures(self, metric: str) -> dict[str, float]:
        """Return the value of a metric for each replicate that has it."""
        values = {replicate: metric_value(record, metric) for replicate, record in self.runs.items()}
        return {replicate: value for replicate, value in values.items() if value is not None}

    def summary(self, metric: str) -> Summary | None:
        """Return the values of a metric over replicates, or None if there are none."""
        values = self.figures(metric)
        return Summary(tuple(values.values())) if values else None

    @property
    def best(self) -> Record | None:
        """The run with the highest figure on dev, the first of equals; None without finished runs."""
        return best_on_dev(list(self.runs.values()))


@dataclass(frozen=True)
class SweepTable:
    """The rows of a sweep, in the order of the command."""

    axes: tuple[str, ...]
    """The keys that the sweep varies, without those that make replicates."""
    rows: tuple[SweepRow, ...]
    replicates: str = "seed"
    """The key in which replicates differ: seed or protocol.fold."""
    is_comparison: bool = False
    """True if the axes are the settings in which finished runs differ, false if they are the keys of a command."""

    @property
    def records(self) -> list[Record]:
        """The records of all finished runs, row by row."""
        return [record for row in self.rows for record in row.runs.values()]

    @property
    def scale(self) -> str:
        """The scale of the first finished run."""
        return next((str(record.settings["scale"]) for record in self.records), "")

    @property
    def measure(self) -> str:
        """The measure of all rows; empty if rows have different ones."""
        measures = {row.measure for row in self.rows if row.measure}
        return measures.pop() if len(measures) == 1 else ""

    @property
    def best(self) -> Record | None:
        """The run with the highest figure on dev; None if rows have different measures or data sets."""
        return best_on_dev(self.records) if self.measure and len(set(map(data_key, self.records))) == 1 else None

    @property
    def repeated_rows(self) -> list[tuple[SweepRow, SweepRow]]:
        """Each row that has the same runs as an earlier row, with that row: such as those of two numbers of threads."""
        first: dict[frozenset[str], SweepRow] = {}
        pairs = [(row, first.setdefault(frozenset(r.id for r in row.runs.values()), row)) for row in self.rows]
        return [(row, earlier) for row, earlier in pairs if row is not earlier and row.runs]

    def description(self, row: SweepRow, replicate: str = "") -> str:
        """Return a label that distinguishes a row, or its run of a replicate.

        The label consists of overrides for a sweep, and of phrases for a comparison. A comparison has axes that are no
        overrides, and leaves out the settings that a run does not have.
        """
        pairs = list(zip(self.axes, row.values, strict=True))
        if replicate:
            pairs.append((self.replicate_key(row, replicate), replicate))
        if not self.is_comparison:
            return " ".join(f"{key}={value}" for key, value in pairs)
        present = [f"{key.removeprefix('protocol.')} {value}" for key, value in pairs if value != ABSENT]
        return ", ".join(present or [f"no {key}" for key, _ in pairs])

    def replicate_key(self, row: SweepRow, replicate: str) -> str:
        """Return the key whose value is a replicate of a row: seed also in a table of folds, for runs without one."""
        record = row.runs.get(replicate)
        is_seed = record is not None and record.settings.get(FOLD) is None and self.is_comparison
        return "seed" if is_seed else self.replicates

    def overlap(self, row: SweepRow) -> float:
        """Return the ratio that `overlap_of_splits` defines if the row's replicates share data; else 0."""
        return overlap_of_splits(next(iter(row.runs.values())))

    def differences(self, row: SweepRow) -> Summary | None:
        """Return the differences in the test figure, row minus first row, of the replicates that both have.

        None for the first row, without such replicates, and if the rows were tested on different data.
        """
        first = self.rows[0]
        if row is first or row.measure != first.measure or not row.measure or not tested_alike(row, first):
            return None
        ours, theirs = row.figures(f"test/{row.measure}"), first.figures(f"test/{row.measure}")
        pairs = [ours[replicate] - theirs[replicate] for replicate in ours if replicate in theirs]
        return Summary(tuple(pairs)) if pairs else None

    def interval(self, row: SweepRow) -> tuple[float, float] | None:
        """Return the 95% interval of the mean difference to the first row; None if there are fewer than two pairs."""
        differences = self.differences(row)
        return None if differences is None else mean_interval(differences, self.overlap(row))


def data_key(record: Record) -> tuple[str, ...]:
    """Return what says on which test set a run was tested, apart from its seed and fold: data set, scale and file, the
    number of folds, and the sizes of splits that are drawn."""
    splits, folded = record.data.get("splits", {}), record.settings.get(FOLD) is not None
    return (
        str(record.settings["dataset.name"]),
        str(record.settings["scale"]),
        str(splits.get("test", splits.get("all", {})).get("sha256")),
        str(record.settings.get("protocol.folds")) if folded else "",
        str(record.data.get("drawn")),
    )


def tested_alike(row: SweepRow, other: SweepRow) -> bool:
    """Return whether all runs of two rows were tested on the same data set."""
    return len({data_key(record) for record in (*row.runs.values(), *other.runs.values())}) == 1
