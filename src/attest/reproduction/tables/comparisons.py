"""Comparisons of one row with another, replicate by replicate: a paper's claims about their order, or the effect of an
option.

Two questions are kept apart: whether other seeds would give the same order, and whether other test items would. All
comparisons of a table are corrected for their number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from attest.reproduction.plurals import counted
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.budget import marked
from attest.reproduction.tables.groups import Group, same_data, same_data_but_vectors
from attest.reproduction.tables.item_errors import PredictionLookup, standard_error
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.statistics import (
    LEVEL,
    Summary,
    adjusted_p_values,
    mean_interval,
    normal_interval,
    p_values,
    pairs_to_significance,
)
from attest.reproduction.tables.table import Line, Table
from attest.runs.records import Record

AS_CLAIMED, CONTRADICTED = "as claimed", "against the claim"
"""The outcomes of a claim of the paper, besides undecided."""


@dataclass(frozen=True)
class ComparisonResult:
    """A comparison of the specification with its result: the differences of the replicates that both rows have."""

    first: Line
    second: Line
    column: Column
    text: str
    claim: str | None
    """The claim of the paper on the first row against the second (see `Comparison`); None for a question of ours."""
    printed: float | None
    """The difference of the same rows in the paper; None if it is not printed or is of other runs."""
    differences: Summary | None
    """The differences of the paired replicates; None if there are no pairs."""
    reason: str
    """The reason why there are no differences; empty if there are."""
    over_items: tuple[float, float] | None
    """The 95% interval of the mean difference if the same runs had other test items; None without predictions."""

    adjusted_p: float | None = None
    """The p-value of the mean difference, corrected for the number of comparisons; None below two pairs."""
    undecided: int = 1
    """The number of comparisons in the table that have a p-value but no significant difference: a further comparison is
    corrected for this number."""

    @property
    def result(self) -> PanelResult | None:
        """The runs of the first row."""
        return self.first.result_in(self.column)

    @property
    def over_folds(self) -> bool:
        """True if the pairs are folds, of which there is a fixed number."""
        return self.result is not None and self.result.panel.replicates.axis == "fold"

    @property
    def overlap(self) -> float:
        """The size of a test set by that of its training set, if pairs are folds or random splits; else 0."""
        return 0.0 if self.result is None else self.result.overlap

    @property
    def reduced(self) -> bool:
        """True if the runs of one of the rows had less data or training than the paper's."""
        results = [line.result_in(self.column) for line in (self.first, self.second)]
        return any(result.reduced for result in results if result is not None)

    @property
    def unfinished_search(self) -> str:
        """The row whose best setting is not known yet, and how many of its settings have run; empty if there is none.

        The paper compares with the best of all.
        """
        lines = [(line.row.title, line.unfinished_search(self.column)) for line in (self.first, self.second)]
        return ", ".join(f"{settings} of {title}" for title, settings in lines if settings)

    @property
    def p(self) -> float | None:
        """The p-value of the mean difference before correction; None if there are fewer than two pairs."""
        if self.differences is None or self.differences.n < 2:
            return None
        return float(p_values(np.array([self.differences.values]), self.overlap)[0])

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval of the mean difference over replicates; None if there are fewer than two pairs."""
        return mean_interval(self.differences, self.overlap) if self.differences else None

    @property
    def finding(self) -> str | None:
        """The finding: above, below or undecided, marked if the budget was reduced; None if there are no
        differences."""
        if self.differences is None:
            return None
        called = self.adjusted_p is not None and self.adjusted_p < LEVEL and not self.unfinished_search
        word = "undecided" if not called else "above" if self.differences.mean > 0 else "below"
        return marked(word, self.reduced)

    @property
    def outcome(self) -> str | None:
        """The outcome of the paper's claim: as claimed, contradicted or undecided, marked as the finding is.

        None for a question of ours, and if there are no differences. That rows are alike cannot be shown here.
        """
        if self.finding is None or self.claim is None:
            return None
        word = self.finding.partition(",")[0]
        held = word == ("below" if self.claim == "not above" else self.claim)
        return marked("undecided" if word == "undecided" else AS_CLAIMED if held else CONTRADICTED, self.reduced)

    @property
    def verdict(self) -> str:
        """The finding, whether the paper claims it, and a remark in brackets; or why there are no differences."""
        if self.finding is None:
            return self.reason
        if self.adjusted_p is None:
            return f"{self.finding} (one pair)"
        if self.unfinished_search:
            return f"{self.finding} ({self.unfinished_search})"
        if self.outcome is not None and not self.outcome.startswith("undecided"):
            return f"{self.finding.partition(',')[0]}, {self.outcome}"
        count = self.pairs_needed
        return self.finding + (f" ({counted(count, 'more pair')})" if count else "")

    @property
    def pairs_needed(self) -> int | None:
        """The number of further pairs that would make this difference significant, at the spread seen so far.

        None if it is significant, for folds, of which there are no more, and if it would take over MOST_PAIRS in all.
        """
        if self.differences is None or self.adjusted_p is None or self.adjusted_p < LEVEL or self.over_folds:
            return None
        enough = pairs_to_significance(self.differences, self.overlap, LEVEL / self.undecided)
        return None if enough is None else enough - self.differences.n


@lru_cache(maxsize=100)  # a table's page, its line of the overview and its row in the README show the same results
def comparison_results(table: Table) -> Sequence[ComparisonResult]:
    """Return the results of the comparisons that the specification names, for the columns that are shown."""
    lines = {line.name: line for line in table.lines}
    results = []
    for comparison in table.spec.comparisons:
        column = table.columns.get(comparison.column)
        if column is None or not {comparison.first, comparison.second} <= lines.keys():
            continue
        first, second = lines[comparison.first], lines[comparison.second]
        pairs, reason = paired_runs(
            first.result_in(column), second.result_in(column), column, table.spec.compares_vectors
        )
        differences = differences_of(pairs) if pairs else None
        over_items = interval_over_items(pairs, column, table.predictions_behind)
        printed = [table.printed(line, comparison.column) for line in (first, second)]
        values = [figure.value for figure in printed if figure is not None and figure.value is not None]
        paper_difference = values[0] - values[1] if comparison.printed and len(values) == 2 else None
        results.append(
            ComparisonResult(
                first,
                second,
                column,
                comparison.text,
                comparison.claim,
                paper_difference,
                differences,
                reason,
                over_items,
            )
        )
    return corrected(results)


def corrected(results: Sequence[ComparisonResult]) -> list[ComparisonResult]:
    """Return the results of one table, each with its p-value corrected for the number of p-values in the table."""
    p_C = np.array([result.p for result in results if result.p is not None])
    adjusted_C = adjusted_p_values(p_C[None])[0]
    undecided, adjusted = max(1, int((adjusted_C >= LEVEL).sum())), iter(adjusted_C.tolist())
    return [
        result if result.p is None else replace(result, adjusted_p=next(adjusted), undecided=undecided)
        for result in results
    ]


@dataclass(frozen=True)
class RunPair:
    """Two runs of one replicate, and the difference of their figures."""

    first: Record
    second: Record
    difference: float


def paired_runs(
    first: PanelResult | None, second: PanelResult | None, column: Column, compares_vectors: bool = False
) -> tuple[list[RunPair], str]:
    """Return the pairs of runs of the replicates that both rows have, and the reason if there are none.

    `compares_vectors` is that of the table (see `Spec`).
    """
    if first is None or second is None or first.group is None or second.group is None:
        return [], "not run"
    if not (same_data_but_vectors if compares_vectors else same_data)(first.group, second.group):
        return [], "not comparable: other data or another budget"
    figures, runs = first.figures_of(first.group, column.metric), runs_by_replicate(first, first.group)
    other_figures, other_runs = second.figures_of(second.group, column.metric), runs_by_replicate(second, second.group)
    pairs = [
        RunPair(runs[number], other_runs[number], figures[number] - other_figures[number])
        for number in sorted(figures.keys() & other_figures.keys())
    ]
    return pairs, "" if pairs else "not comparable: no replicate that both have"


def differences_of(pairs: Sequence[RunPair]) -> Summary:
    """Return the differences of the pairs as replicates of one figure."""
    return Summary(tuple(pair.difference for pair in pairs))


def runs_by_replicate(result: PanelResult, group: Group) -> Mapping[int, Record]:
    """Return the runs of a group by the number of the replicate."""
    return {result.panel.replicates.number(run.settings): run for run in group.records}


def interval_over_items(
    pairs: Sequence[RunPair], column: Column, predictions_behind: PredictionLookup
) -> tuple[float, float] | None:
    """Return the 95% interval of the mean difference over test items; None if predictions are missing."""
    predictions = [
        (predictions_behind(pair.first, column.metric), predictions_behind(pair.second, column.metric))
        for pair in pairs
    ]
    known = [(first, second) for first, second in predictions if first is not None and second is not None]
    if not pairs or len(known) < len(pairs):
        return None
    return normal_interval(differences_of(pairs).mean, standard_error(known, column.metric))
