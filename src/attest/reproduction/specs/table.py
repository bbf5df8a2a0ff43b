"""The tables of a paper, read from `reproduce/PAPER/table1.yaml` and so on.

Printed figures are only in these files, settings only in `conf/`, and results only in records.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from attest.config.constraints import AtLeastOne, Range
from attest.config.error_words import did_you_mean
from attest.config.schema import from_plain
from attest.config.yaml_files import locate_errors_in_file
from attest.errors import SettingsError
from attest.reproduction.specs import files
from attest.reproduction.specs.columns import Column, Panel, group_into_panels
from attest.reproduction.specs.extends import fill_in_extended
from attest.reproduction.specs.metric_names import check_dev_metric, check_metric, check_subset, without_subset
from attest.reproduction.specs.printed_decimals import read_with_decimals
from attest.reproduction.specs.replicates import Replicates
from attest.reproduction.specs.rows import Comparison, PrintedValue, Row

TRAINING_LIMITS = ("protocol.steps", "protocol.epochs", "protocol.examples")
"""The settings that limit how long, or on how many examples, a run trains; null: no limit."""


@dataclass(frozen=True, kw_only=True)
class TableSpec:
    """The specification of a table: its columns, rows and comparisons, with the figures that the paper prints."""

    name: str
    title: str
    reference: str
    """The paper."""
    source: str
    """The place in the paper, as Table 1."""
    base: Sequence[str]
    """The overrides that all rows share."""
    replicates: Replicates
    columns: Mapping[str, Column]
    rows: Mapping[str, Row]
    comparisons: Sequence[Comparison] = ()
    rows_are: str = "Model"
    """The head of the first column: what the titles of the rows name."""
    paper_budget: Mapping[str, Annotated[float, Range(0)]] = field(default_factory=dict)
    """The limits of training in the experiment of the paper, such as protocol.steps: 400000, where the table's own
    experiment has less; its findings are then at reduced budget."""
    compares_vectors: bool = False
    """True if the rows differ in their files of word vectors. A run on another file then belongs to no row, where other
    tables show it with a deviation; and rows are compared although their vectors differ."""
    curve_from: Annotated[int, AtLeastOne] = 1
    """The smallest number of training examples that the power law of accuracy is fitted to. Smaller sets may have been
    trained for more epochs, which bends the curve."""
    notes: Sequence[str] = ()
    choices: str = ""
    """The paper whose open choices are rows of the table (see `choices.table_rows`); empty if there are none."""

    @property
    def run_rows(self) -> dict[str, Row]:
        """The rows that are run here, by name."""
        return {name: row for name, row in self.rows.items() if row.set is not None}

    def rows_at(self, scale: str) -> dict[str, Row]:
        """Return the rows that are shown at the scale, by name; cited ones only at the scale of the paper."""
        rows = self.rows if scale == "paper" else self.run_rows
        return {name: row for name, row in rows.items() if not row.scales or scale in row.scales}

    def row(self, name: str) -> Row:
        if name not in self.rows:
            known = ", ".join(self.run_rows)
            raise SettingsError(f"{name}: {self.name} has no such row.{did_you_mean(name, self.rows)} We run: {known}.")
        return self.rows[name]

    def columns_at(self, scale: str) -> dict[str, Column]:
        """Return the columns that are shown at the scale, by name."""
        return {name: column for name, column in self.columns.items() if not column.scales or scale in column.scales}

    def panels(self, scale: str) -> list[Panel]:
        """Return the panels of the columns that are shown at the scale."""
        return group_into_panels(
            self.columns_at(scale), self.replicates, self.paper_budget if scale == "paper" else None
        )


def table_names(*, own: bool = True) -> list[str]:
    """Return the names of all tables, as disan/table1; without `own`, only those of papers."""
    return files.names("table", own=own)


def load_table(name: str) -> TableSpec:
    """Return a table by its name; raise SettingsError if it does not exist or its file has mistakes."""
    return read_table(files.path_of(name, "table", "there is no such table"), name)


def read_table(path: Path, name: str) -> TableSpec:
    """Return the table that a file describes; raise SettingsError, with the file's name, for mistakes in it."""
    data = read_with_decimals(path)
    with locate_errors_in_file(path):
        spec = from_plain(TableSpec, {"name": name, **fill_in_extended(data, name)})
        check_spec(spec)
    return spec


def check_spec(spec: TableSpec) -> None:
    """Raise SettingsError, with the key, if the parts of a table contradict each other."""
    axis_of = {panel.name: panel.replicates.key for panel in group_into_panels(spec.columns, spec.replicates)}
    for key in spec.paper_budget:
        if key not in TRAINING_LIMITS:
            raise SettingsError(f"paper_budget.{key}: no limit of training.{did_you_mean(key, TRAINING_LIMITS)}")
    check_overrides("base", spec.base, {*axis_of.values()})
    for column_name, column in spec.columns.items():
        check_overrides(f"columns.{column_name}.set", column.set, {(column.replicates or spec.replicates).key})
        check_subset(f"columns.{column_name}.metric", column.metric)
        check_metric(f"columns.{column_name}.metric", without_subset(column.metric))
    for row_name, row in spec.rows.items():
        check_row(f"rows.{row_name}", row, spec, axis_of)
    for number, comparison in enumerate(spec.comparisons):
        check_comparison(f"comparisons[{number}]", comparison, spec)


def check_overrides(where: str, overrides: Sequence[str], axes: Collection[str]) -> None:
    """Raise SettingsError if an override is not of the form key=value or ~key, or sets what differs between replicates.

    `axes` are the keys in which the replicates of the runs with these overrides differ.
    """
    for text in overrides:
        if "=" not in text and not text.startswith("~"):
            raise SettingsError(f"{where}: {text!r} is no setting; type key=value")
        key = text.partition("=")[0].lstrip("+~")
        if {key} == {*axes}:
            raise SettingsError(f"{where}: {text}: `replicates` gives each run its {key}; leave it out")


def check_comparison(where: str, comparison: Comparison, spec: TableSpec) -> None:
    """Raise SettingsError if the comparison names a row that is not run here, a column that does not exist, or two
    columns whose figures cannot be subtracted."""
    for row in (comparison.first, comparison.second):
        if row not in spec.run_rows:
            raise SettingsError(f"{where}: {row} is no row that we run.{did_you_mean(row, spec.run_rows)}")
    for name in comparison.columns:
        if name not in spec.columns:
            raise SettingsError(f"{where}: there is no column {name}.{did_you_mean(name, spec.columns)}")
    if comparison.than is not None:
        check_second_column(f"{where}.than", comparison.than, comparison.column, spec.columns)


def check_second_column(where: str, than: str, column: str, columns: Mapping[str, Column]) -> None:
    """Raise SettingsError if the lead of a row in a column cannot be compared with its lead in the column `than`."""
    if than == column:
        raise SettingsError(f"{where}: {than} is `column` itself; name another column")
    for key in ("metric", "replicates"):
        if getattr(columns[than], key) != getattr(columns[column], key):
            raise SettingsError(f"{where}: {key} of {than} and {column} differ; name a column with the same {key}")


def check_row(where: str, row: Row, spec: TableSpec, axis_of: Mapping[str, str]) -> None:
    """Raise SettingsError if the row contradicts itself or names a column that does not exist.

    `axis_of` has the key in which the replicates of a panel differ, by the panel's name.
    """
    if (row.set is None) == (row.cited is None):
        raise SettingsError(f"{where}: give exactly one of set (the row is run) and cited (its numbers are quoted)")
    check_overrides(f"{where}.set", row.set or (), {*axis_of.values()})
    if row.search:
        check_dev_metric(f"{where}.search.select", row.search.select)
    for column, overrides in row.per_column.items():
        if column not in axis_of:
            raise SettingsError(f"{where}.per_column.{column}: no column of its own.{did_you_mean(column, axis_of)}")
        check_overrides(f"{where}.per_column.{column}", overrides, {axis_of[column]})
    for column, figure in row.paper.items():
        if column not in spec.columns:
            raise SettingsError(f"{where}.paper.{column}: there is no such column.{did_you_mean(column, spec.columns)}")
        check_printed_figure(f"{where}.paper.{column}", figure, is_searched=row.search is not None)


def check_printed_figure(where: str, figure: PrintedValue, *, is_searched: bool) -> None:
    """Raise SettingsError if a figure of the paper is missing without a reason, does not say of how many runs it is the
    best, or gives a number of runs that it cannot have.

    The best of a row that `is_searched` is that of the settings of its search.
    """
    if figure.value is None and not figure.reason:
        raise SettingsError(f"{where}: value is null; add reason: TEXT")
    is_best_of_runs = figure.of == "best" and not is_searched
    if is_best_of_runs and figure.runs is None:
        raise SettingsError(
            f"{where}.runs: missing; type of how many runs the figure is the best, since the row has no search"
        )
    if figure.runs is not None and not is_best_of_runs and figure.of != "mean":
        raise SettingsError(
            f"{where}.runs: only a mean, or the best of a row without a search, has a number of runs; leave it out"
        )
