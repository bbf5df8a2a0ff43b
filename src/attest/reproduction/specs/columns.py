"""The columns of a table: each a metric, and together those that show the same runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from attest.config.schema import Range
from attest.errors import SettingsError
from attest.reproduction.specs.replicates import Replicates


@dataclass(frozen=True, kw_only=True)
class Column:
    title: str
    metric: str
    """Name of a metric in the record, of a part of the test set with @VIEW behind it; or cost/..., or data/SPLIT for
    its labelled examples (total: of all splits), or divided/... for its phrases, or size/... for what is counted
    without a run, or memory/... for what a benchmark says of the encoder, or transfer/... for what the encoder is worth
    on SentEval's tasks."""
    unit: Literal["%", "m", "s", "MB", ""] = ""
    """m: millions. MB: of what is in bytes."""
    decimals: Annotated[int, Range(0, 6)] = 2
    margin: Annotated[float, Range(0)] | None = None
    """Differences up to this count as equal; fixed before any run. Without one there is no finding."""
    scales: Sequence[str] | None = None
    """The scales at which the column is shown; null: at all."""
    set: Sequence[str] = ()
    """Overrides between the table's and the row's, such as another data set. Columns that set the same share runs."""
    replicates: Replicates | None = None
    """null: the table's."""


@dataclass(frozen=True)
class Panel:
    """Columns that show the same runs."""

    columns: Mapping[str, Column]
    set: Sequence[str]
    replicates: Replicates

    @property
    def name(self) -> str:
        """Its first column stands for all."""
        return next(iter(self.columns))

    @property
    def title(self) -> str:
        return self.columns[self.name].title

    @property
    def metrics(self) -> list[str]:
        return [column.metric for column in self.columns.values()]


def panels(columns: Mapping[str, Column], usual: Replicates) -> list[Panel]:
    """The columns by the runs they show; `usual` are the replicates of columns that name none."""
    found: dict[tuple[str, ...], Panel] = {}
    for name, column in columns.items():
        own, key = column.replicates or usual, tuple(column.set)
        known = found.get(key, Panel({}, column.set, own))
        if known.replicates != own:
            raise SettingsError(f"columns.{name}.replicates: not those of {known.name}, which has the same `set`")
        found[key] = Panel({**known.columns, name: column}, column.set, own)
    return list(found.values())
