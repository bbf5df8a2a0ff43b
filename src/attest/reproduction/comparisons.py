"""One row against another, replicate by replicate: what a paper says about their order, and what an option is worth."""

from collections.abc import Mapping
from dataclasses import dataclass

from attest.reproduction.columns import Column
from attest.reproduction.metrics import metric
from attest.reproduction.table import Line, Part, Table, alike
from attest.statistics import Summary, difference_interval


@dataclass(frozen=True)
class Compared:
    """A comparison with what was found: differences of the replicates that both rows have."""

    first: Line
    second: Line
    column: Column
    text: str
    printed: float | None
    """The same difference in the paper."""
    differences: Summary | None
    reason: str
    """Why there are none."""

    @property
    def interval(self) -> tuple[float, float] | None:
        return difference_interval(self.differences) if self.differences else None

    @property
    def verdict(self) -> str:
        """Whether the first row is above the second beyond chance."""
        if self.differences is None:
            return self.reason
        if self.interval is None:
            return "undecided (one pair)"
        low, high = self.interval
        return "above" if low > 0 else "below" if high < 0 else "undecided"


def compared(table: Table) -> list[Compared]:
    """Every comparison that the table's specification names, for the columns that are shown."""
    lines = {line.name: line for line in table.lines}
    found = []
    for each in table.spec.comparisons:
        if (column := table.columns.get(each.column)) is None:
            continue
        first, second = lines[each.first], lines[each.second]
        differences, reason = between(first.part(column), second.part(column), column)
        printed = [table.printed(line, each.column) for line in (first, second)]
        values = [figure.value for figure in printed if figure is not None and figure.value is not None]
        in_print = values[0] - values[1] if each.printed and len(values) == 2 else None
        found.append(Compared(first, second, column, each.text, in_print, differences, reason))
    return found


def between(first: Part | None, second: Part | None, column: Column) -> tuple[Summary | None, str]:
    """The differences, or why there are none."""
    if first is None or second is None or first.group is None or second.group is None:
        return None, "not run"
    if not alike(first.group, second.group):
        return None, "not comparable: other data or another budget"
    ours, others = values_of(first, column), values_of(second, column)
    if not (both := sorted(ours.keys() & others.keys())):
        return None, "not comparable: no replicate that both have"
    return Summary(tuple(ours[number] - others[number] for number in both)), ""


def values_of(part: Part, column: Column) -> Mapping[int, float]:
    """Replicate -> figure."""
    assert part.group is not None
    number = part.panel.replicates.number
    found = {number(r.settings): metric(r, column.metric, part.transfers) for r in part.group.records}
    return {number: value for number, value in found.items() if value is not None}
