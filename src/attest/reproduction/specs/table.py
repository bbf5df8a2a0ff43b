"""What a paper reports, as data: `reproduce/PAPER/table1.yaml` and so on.

A figure of a paper stands only here, a setting only in `conf/`, a result only in a record.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from attest.config.schema import AtLeastOne, Range, closest, parse
from attest.config.yaml_files import blamed_on, read_yaml
from attest.errors import SettingsError
from attest.reproduction.specs import choices, files
from attest.reproduction.specs.columns import Column, Panel, panels
from attest.reproduction.specs.metric_names import check_metric, check_subset, without_subset
from attest.reproduction.specs.replicates import Replicates


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One printed number."""

    value: float | None
    """null where it is illegible or missing; then `reason` says so."""
    of: Literal["single", "mean", "best"] = "single"
    """A single run, the mean of as many replicates as the table has, or the best of several."""
    sd: Annotated[float, Range(0)] | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Search:
    """A row whose figure is the best of several settings."""

    key: str
    values: Sequence[Any]
    select: str
    """The metric, of the dev set, that chooses."""
    mini: Annotated[int, AtLeastOne] = 2
    """How many of the values are tried at scale=mini: enough for one to be chosen."""

    def tried(self, scale: str) -> Sequence[str]:
        """As overrides."""
        return [f"{self.key}={value}" for value in self.values[: self.mini if scale == "mini" else None]]


@dataclass(frozen=True, kw_only=True)
class Row:
    title: str
    set: Sequence[str] | None = None
    """Overrides that make the row; null for rows that are only cited."""
    per_column: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Column -> what this row overrides there in place of the column's own `set`. Columns that share runs have one
    name, that of the first."""
    cited: str | None = None
    search: Search | None = None
    note: str | None = None
    genre: str | None = None
    """What its counts of examples (data/SPLIT) are of; null: all genres."""
    paper: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two rows that we run, to be compared replicate by replicate."""

    first: str
    second: str
    column: str
    text: str
    """What is said of them."""
    printed: bool = True
    """Whether the paper's figures for these rows are another pair of runs, with a difference of their own."""


@dataclass(frozen=True, kw_only=True)
class Spec:
    """One table."""

    name: str
    title: str
    reference: str
    source: str
    base: Sequence[str]
    replicates: Replicates
    columns: Mapping[str, Column]
    rows: Mapping[str, Row]
    comparisons: Sequence[Comparison] = ()
    notes: Sequence[str] = ()

    @property
    def ours(self) -> dict[str, Row]:
        """The rows that we run."""
        return {name: row for name, row in self.rows.items() if row.set is not None}

    def row(self, name: str) -> Row:
        if name not in self.rows:
            known = ", ".join(self.ours)
            raise SettingsError(f"{name}: {self.name} has no such row.{closest(name, self.rows)} We run: {known}.")
        return self.rows[name]

    def shown(self, scale: str) -> dict[str, Column]:
        return {name: column for name, column in self.columns.items() if not column.scales or scale in column.scales}

    def panels(self, scale: str) -> list[Panel]:
        """The columns shown, by the runs they show."""
        return panels(self.shown(scale), self.replicates)


def names() -> list[str]:
    """Return the names of all tables, as disan/table1."""
    return files.names("table")


def load(name: str) -> Spec:
    return read(files.path_of(name, "table", "there is no such table"), name)


def read(path: Path, name: str) -> Spec:
    data = {"name": name, **read_yaml(path)}
    with blamed_on(path):
        if "choices" in data:
            data |= choices.as_table(choices.load(data.pop("choices")), data.get("columns", ()))
        spec = parse(Spec, data)
        panels(spec.columns, spec.replicates)
    for column_name, column in spec.columns.items():
        check_subset(f"{path}: columns.{column_name}.metric", column.metric)
        check_metric(f"{path}: columns.{column_name}.metric", without_subset(column.metric))
    for row_name, row in spec.rows.items():
        check_row(f"{path}: rows.{row_name}", row, spec)
    for number, comparison in enumerate(spec.comparisons):
        check_comparison(f"{path}: comparisons[{number}]", comparison, spec)
    return spec


def check_comparison(where: str, comparison: Comparison, spec: Spec) -> None:
    for row in (comparison.first, comparison.second):
        if row not in spec.ours:
            raise SettingsError(f"{where}: {row} is no row that we run.{closest(row, spec.ours)}")
    if comparison.column not in spec.columns:
        raise SettingsError(
            f"{where}: there is no column {comparison.column}.{closest(comparison.column, spec.columns)}"
        )


def check_row(where: str, row: Row, spec: Spec) -> None:
    if (row.set is None) == (row.cited is None):
        raise SettingsError(f"{where}: a row has either `set` (we run it) or `cited` (we quote it)")
    if row.search:
        check_metric(f"{where}.search.select", row.search.select)
    known = [panel.name for panel in panels(spec.columns, spec.replicates)]
    for column in row.per_column:
        if column not in known:
            raise SettingsError(f"{where}.per_column.{column}: no column of its own.{closest(column, known)}")
    for column, figure in row.paper.items():
        if column not in spec.columns:
            raise SettingsError(f"{where}.paper.{column}: there is no such column.{closest(column, spec.columns)}")
        if figure.value is None and not figure.reason:
            raise SettingsError(f"{where}.paper.{column}: a missing figure needs a reason")
