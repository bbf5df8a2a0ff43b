"""The columns of a table, each with its metric, and panels: groups of columns that show the same runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from attest.config.constraints import Range
from attest.errors import SettingsError
from attest.reproduction.specs.replicates import Replicates


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of a table."""

    title: str
    metric: str
    """The name of what the column shows: a metric of the runs' records, such as test/accuracy, or another quantity.

    Names of other quantities begin with cost/, data/ (labelled examples), divided/ (phrases), size/ (parameters),
    memory/ (the encoder's memory in a benchmark) or transfer/ (SentEval's tasks); specs/metric_names.py lists them.
    test/accuracy@SUBSET is the accuracy on a subset of the test set."""
    unit: Literal["%", "m", "s", "MB", ""] = ""
    """The unit of the printed numbers. m divides by a million; MB converts bytes."""
    decimals: Annotated[int, Range(0, 6)] = 2
    margin: Annotated[float, Range(0)] | None = None
    """The largest difference that counts as equal, fixed before any run; null: the column has no finding."""
    scales: Sequence[str] | None = None
    """The scales at which the column is shown; null: all scales."""
    set: Sequence[str] = ()
    """The overrides of the column, such as another data set: they take precedence over those of the table, and those of
    the row over them. Columns with equal overrides share runs."""
    replicates: Replicates | None = None
    """The replicates of the column; null: those of the table."""


@dataclass(frozen=True)
class Panel:
    """A group of columns that show the same runs."""

    columns: Mapping[str, Column]
    set: Sequence[str]
    replicates: Replicates
    paper_budget: Mapping[str, float] = field(default_factory=dict)
    """The limits of training in the experiment of the paper, by setting, where the table's own experiment has less."""

    @property
    def name(self) -> str:
        """The name of the first column."""
        return next(iter(self.columns))

    @property
    def title(self) -> str:
        """The part of the titles before their first comma, as SICK-TE, if all columns share it; else the first one."""
        titles = [column.title for column in self.columns.values()]
        beginnings = {title.partition(",")[0] for title in titles}
        return beginnings.pop() if len(titles) > 1 and len(beginnings) == 1 else titles[0]

    @property
    def metrics(self) -> list[str]:
        return [column.metric for column in self.columns.values()]


def group_into_panels(
    columns: Mapping[str, Column], default: Replicates, paper_budget: Mapping[str, float] | None = None
) -> list[Panel]:
    """Return the panels of the columns, in order; `default` is used for columns without replicates of their own."""
    result: dict[tuple[str, ...], Panel] = {}
    for name, column in columns.items():
        own, key = column.replicates or default, tuple(column.set)
        known = result.get(key, Panel({}, column.set, own, paper_budget or {}))
        if known.replicates != own:
            raise SettingsError(f"columns.{name}.replicates: not those of {known.name}, which has the same `set`")
        result[key] = replace(known, columns={**known.columns, name: column})
    return list(result.values())
