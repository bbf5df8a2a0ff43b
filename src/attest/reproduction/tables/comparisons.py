"""Comparisons of one row with another, replicate by replicate: a paper's claims about their order, or the effect of an
option.

Two questions are kept apart: whether other seeds would give the same order, and whether other test items would.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.build import Line, PanelResult, Table, same_data
from attest.reproduction.tables.item_errors import PredictionLookup, standard_error
from attest.reproduction.tables.metrics import metric_value
from attest.reproduction.tables.statistics import Summary, difference_interval, normal_interval, pairs_to_significance
from attest.runs.records import Record


@dataclass(frozen=True)
class ComparisonResult:
    """A comparison of the specification with its result: the differences of the replicates that both rows have."""

    first: Line
    second: Line
    column: Column
    text: str
    printed: float | None
    """The difference of the same rows in the paper; None if it is not printed or is of other runs."""
    differences: Summary | None
    """The differences of the paired replicates; None if there are no pairs."""
    reason: str
    """The reason why there are no differences; empty if there are."""
    over_items: tuple[float, float] | None
    """The 95% interval of the mean difference, for the same runs on other test items; None if the predictions do not
    give one."""

    @property
    def folds(self) -> int | None:
        """The number of folds of a cross-validation; None if the replicates are seeds."""
        result = self.first.panel_result(self.column)
        return result.panel.replicates.n if result is not None and result.panel.replicates.axis == "fold" else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval of the mean difference over replicates; None if there are fewer than two pairs."""
        return difference_interval(self.differences, self.folds) if self.differences else None

    @property
    def verdict(self) -> str:
        """The finding: above, below, undecided with a remark in brackets, or the reason why there are no
        differences."""
        if self.differences is None:
            return self.reason
        if self.interval is None:
            return "undecided (one pair)"
        low, high = self.interval
        if low > 0 or high < 0:
            return "above" if low > 0 else "below"
        if (count := self.pairs_needed) is None:
            return "undecided"
        return f"undecided ({count} more pair{'s' * (count > 1)})"

    @property
    def pairs_needed(self) -> int | None:
        """The number of further pairs that would make this difference significant, at the spread seen so far.

        None for folds, of which there are no more, and if it would take over 1,000 pairs in all.
        """
        if self.differences is None or self.folds is not None:
            return None
        enough = pairs_to_significance(self.differences)
        return None if enough is None else enough - self.differences.n


@lru_cache(maxsize=100)  # a table's page, its line of the overview and its row in the README show the same results
def comparison_results(table: Table) -> Sequence[ComparisonResult]:
    """Return the results of the comparisons that the specification names, for the columns that are shown."""
    lines = {line.name: line for line in table.lines}
    results = []
    for comparison in table.spec.comparisons:
        if (column := table.columns.get(comparison.column)) is None:
            continue
        first, second = lines[comparison.first], lines[comparison.second]
        pairs, reason = paired_runs(first.panel_result(column), second.panel_result(column), column)
        differences = differences_of(pairs) if pairs else None
        over_items = interval_over_items(pairs, column, table.predictions_behind)
        printed = [table.printed(line, comparison.column) for line in (first, second)]
        values = [figure.value for figure in printed if figure is not None and figure.value is not None]
        paper_difference = values[0] - values[1] if comparison.printed and len(values) == 2 else None
        results.append(
            ComparisonResult(first, second, column, comparison.text, paper_difference, differences, reason, over_items)
        )
    return results


@dataclass(frozen=True)
class RunPair:
    """Two runs of one replicate, and the difference of their figures."""

    first: Record
    second: Record
    difference: float


def paired_runs(first: PanelResult | None, second: PanelResult | None, column: Column) -> tuple[list[RunPair], str]:
    """Return the pairs of runs of the replicates that both rows have, and the reason if there are none."""
    if first is None or second is None or first.group is None or second.group is None:
        return [], "not run"
    if not same_data(first.group, second.group):
        return [], "not comparable: other data or another budget"
    figures, other_figures = figures_by_replicate(first, column), figures_by_replicate(second, column)
    pairs = [
        RunPair(figures[number][0], other_figures[number][0], figures[number][1] - other_figures[number][1])
        for number in sorted(figures.keys() & other_figures.keys())
    ]
    return pairs, "" if pairs else "not comparable: no replicate that both have"


def differences_of(pairs: Sequence[RunPair]) -> Summary:
    """Return the differences of the pairs as replicates of one figure."""
    return Summary(tuple(pair.difference for pair in pairs))


def figures_by_replicate(result: PanelResult, column: Column) -> Mapping[int, tuple[Record, float]]:
    """Return the run and its figure by the number of the replicate, for the runs that have the figure."""
    assert result.group is not None
    number = result.panel.replicates.number
    figures = {
        number(run.settings): (run, metric_value(run, column.metric, result.transfers)) for run in result.group.records
    }
    return {replicate: (run, value) for replicate, (run, value) in figures.items() if value is not None}


def interval_over_items(
    pairs: Sequence[RunPair], column: Column, predictions_behind: PredictionLookup
) -> tuple[float, float] | None:
    """Return the 95% interval of the mean difference over test items; None unless all runs have their predictions
    kept."""
    predictions = [
        (predictions_behind(pair.first, column.metric), predictions_behind(pair.second, column.metric))
        for pair in pairs
    ]
    known = [(first, second) for first, second in predictions if first is not None and second is not None]
    if not pairs or len(known) < len(pairs):
        return None
    return normal_interval(differences_of(pairs).mean, standard_error(known, column.metric))
