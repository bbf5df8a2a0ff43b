"""One row against another, replicate by replicate: what a paper says about their order, and what an option is worth.

Two questions are kept apart: would other seeds give the same order, and would other test items?
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.build import Line, PanelResult, Table, same_data
from attest.reproduction.tables.item_errors import PredictionLookup, standard_error
from attest.reproduction.tables.metrics import metric_value
from attest.reproduction.tables.statistics import Summary, difference_interval, normal_interval, pairs_to_significance
from attest.runs.records import Record


@dataclass(frozen=True)
class ComparisonResult:
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
    over_items: tuple[float, float] | None
    """Where the same runs' difference would lie on other test items; None where their predictions do not tell."""

    @property
    def folds(self) -> int | None:
        """Of cross-validation: how many the data are cut into."""
        result = self.first.panel_result(self.column)
        return result.panel.replicates.n if result is not None and result.panel.replicates.axis == "fold" else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return difference_interval(self.differences, self.folds) if self.differences else None

    @property
    def verdict(self) -> str:
        """Whether the first row is above the second beyond chance."""
        if self.differences is None:
            return self.reason
        if self.interval is None:
            return "undecided (one pair)"
        low, high = self.interval
        if low > 0 or high < 0:
            return "above" if low > 0 else "below"
        pairs_needed = self.pairs_needed
        return (
            "undecided"
            if pairs_needed is None
            else f"undecided ({pairs_needed} more pair{'s' * (pairs_needed > 1)} would tell)"
        )

    @property
    def pairs_needed(self) -> int | None:
        """How many more pairs would tell a difference of this size and spread, where more can be had."""
        if self.differences is None or self.folds is not None:
            return None
        enough = pairs_to_significance(self.differences)
        return None if enough is None else enough - self.differences.n


def comparison_results(table: Table) -> list[ComparisonResult]:
    """Every comparison that the table's specification names, for the columns that are shown."""
    lines = {line.name: line for line in table.lines}
    found = []
    for each in table.spec.comparisons:
        if (column := table.columns.get(each.column)) is None:
            continue
        first, second = lines[each.first], lines[each.second]
        pairs, reason = paired_runs(first.panel_result(column), second.panel_result(column), column)
        differences = differences_of(pairs) if pairs else None
        over_items = interval_over_items(pairs, column, table.predictions_behind)
        printed = [table.printed(line, each.column) for line in (first, second)]
        values = [figure.value for figure in printed if figure is not None and figure.value is not None]
        in_print = values[0] - values[1] if each.printed and len(values) == 2 else None
        found.append(ComparisonResult(first, second, column, each.text, in_print, differences, reason, over_items))
    return found


@dataclass(frozen=True)
class RunPair:
    """Two runs of one replicate."""

    first: Record
    second: Record
    difference: float


def paired_runs(first: PanelResult | None, second: PanelResult | None, column: Column) -> tuple[list[RunPair], str]:
    """The replicates that both rows have, or why there are none."""
    if first is None or second is None or first.group is None or second.group is None:
        return [], "not run"
    if not same_data(first.group, second.group):
        return [], "not comparable: other data or another budget"
    ours, other_groups = figures_by_replicate(first, column), figures_by_replicate(second, column)
    pairs = [
        RunPair(ours[number][0], other_groups[number][0], ours[number][1] - other_groups[number][1])
        for number in sorted(ours.keys() & other_groups.keys())
    ]
    return pairs, "" if pairs else "not comparable: no replicate that both have"


def differences_of(pairs: Sequence[RunPair]) -> Summary:
    return Summary(tuple(pair.difference for pair in pairs))


def figures_by_replicate(result: PanelResult, column: Column) -> Mapping[int, tuple[Record, float]]:
    """Replicate -> its run and its figure."""
    assert result.group is not None
    number = result.panel.replicates.number
    found = {
        number(run.settings): (run, metric_value(run, column.metric, result.transfers)) for run in result.group.records
    }
    return {number: (run, value) for number, (run, value) in found.items() if value is not None}


def interval_over_items(
    pairs: Sequence[RunPair], column: Column, predictions_behind: PredictionLookup
) -> tuple[float, float] | None:
    """Around the mean difference, if what all these runs said is known."""
    said = [
        (predictions_behind(pair.first, column.metric), predictions_behind(pair.second, column.metric))
        for pair in pairs
    ]
    known = [(ours, other) for ours, other in said if ours is not None and other is not None]
    if not pairs or len(known) < len(pairs):
        return None
    return normal_interval(differences_of(pairs).mean, standard_error(known, column.metric))
