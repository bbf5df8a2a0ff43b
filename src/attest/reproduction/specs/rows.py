"""The rows of a table: their printed figures, their searches, and the comparisons of two rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from attest.config.constraints import AtLeastOne, Range
from attest.config.overrides import override_value


@dataclass(frozen=True, kw_only=True)
class PrintedValue:
    """A number that a paper prints."""

    value: float | None
    """The number; null if it is illegible or missing, and then `reason` says why."""
    of: Literal["single", "mean", "best"] = "single"
    """The origin of the figure: a single run, a mean over several, or the best of several."""
    runs: Annotated[int, AtLeastOne] | None = None
    """The number of runs that the figure is the mean or the best of; null: for a mean, the table's number of
    replicates; for the best, the number of settings of the row's search."""
    sd: Annotated[float, Range(0)] | None = None
    decimals: Annotated[int, Range(0, 10)] | None = None
    """The number of decimals that the paper prints; null: as many as `value` has in the file of the table, with zeros
    at its end."""
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class RowSearch:
    """A search over values of one setting: the row shows the value that is best on dev."""

    key: str
    values: Sequence[Any]
    select: str
    """The metric of the dev set by which the best value is selected."""
    mini: Annotated[int, AtLeastOne] = 2
    """The number of values that are tried at scale=mini."""

    def overrides(self, scale: str) -> Sequence[str]:
        """Return the override of each value that is tried at the scale."""
        return [
            f"{self.key}={override_value(value)}" for value in self.values[: self.mini if scale == "mini" else None]
        ]


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of a table: a model that we run, or one whose figures are only cited."""

    title: str
    set: Sequence[str] | None = None
    """The overrides of the row; null for rows that are only cited."""
    fixed: Sequence[str] = ()
    """The keys of settings in which no run of the row differs from it. A run with a smaller budget belongs to a row
    otherwise, and is shown with a deviation."""
    per_column: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The name of a panel's first column -> the overrides of the panel in this row, in place of its `set`."""
    cited: str | None = None
    search: RowSearch | None = None
    note: str | None = None
    scales: Sequence[str] | None = None
    """The scales at which the row is run and shown; null: all scales."""
    genre: str | None = None
    """The genre whose examples the data/ columns count in this row; null: all genres."""
    paper: Mapping[str, PrintedValue] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A comparison of two rows that we run, seed by seed or fold by fold."""

    first: str
    second: str
    column: str
    than: str | None = None
    """A second column: the lead of the first row over the second in `column` is compared with their lead in this one.
    null: the rows are compared in `column` alone."""
    text: str
    """The claim of the paper, or our question, about the two rows."""
    claim: Literal["above", "below", "not above", "alike"] | None = None
    """The side of the second row on which the paper sees the first; with `than`, the side of the lead in that column on
    which the paper sees the lead in `column`. null: the paper does not say, we ask."""
    printed: bool = True
    """True if the paper prints figures for both rows: their difference is then shown beside ours."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that are compared: `column`, and `than` if there is one."""
        return (self.column,) if self.than is None else (self.column, self.than)
