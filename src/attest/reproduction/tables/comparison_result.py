"""The result of one comparison of two rows: the differences of their runs, and what they say of a paper's claim."""

from dataclasses import dataclass

import numpy as np

from attest.reproduction.plurals import pluralize
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.finding import AS_CLAIMED, CONTRADICTED, REDUCED, Finding
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.statistics import LEVEL, Summary, mean_interval, p_values, pairs_to_significance
from attest.reproduction.tables.table import RowResults

ON_THESE_ITEMS = "on these test items"
"""The mark of a finding that may be another on other test items."""


@dataclass(frozen=True)
class ComparisonResult:
    """A comparison of the specification with its result: the differences of the replicates that both rows have."""

    first: RowResults
    second: RowResults
    column: Column
    text: str
    claim: str | None
    """The claim of the paper on the first row against the second (see `Comparison`); None for a question of ours."""
    printed_difference: float | None
    """The difference of the same rows in the paper; None if it is not printed or is of other runs."""
    differences: Summary | None
    """The differences of the paired replicates; None if there are no pairs."""
    reason: str
    """The reason why there are no differences; empty if there are."""
    over_items: tuple[float, float] | None
    """The 95% interval of the mean difference if the same runs had other test items; None without predictions."""
    second_column: Column | None = None
    """The second column, whose differences are subtracted; None if the rows are compared in one column."""

    adjusted_p: float | None = None
    """The p-value of the mean difference, corrected for the number of claims, or of questions; None below two pairs."""
    undecided_count: int = 1
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
        results = [row.result_in(column) for row, column in self.rows_and_columns]
        return any(result.reduced for result in results if result is not None)

    @property
    def rows_and_columns(self) -> list[tuple[RowResults, Column]]:
        """The row and the column of each figure that is compared."""
        columns = (self.column, self.second_column) if self.second_column else (self.column,)
        return [(row, column) for column in columns for row in (self.first, self.second)]

    @property
    def unfinished_search(self) -> str:
        """The row whose best setting is not known yet, and how many of its settings have run; empty if there is none.

        The paper compares with the best of all.
        """
        searches = [(row.spec.title, row.unfinished_search(column)) for row, column in self.rows_and_columns]
        texts = [f"{settings} of {title}" for title, settings in searches if settings]
        return ", ".join(dict.fromkeys(texts))

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
    def finding(self) -> Finding | None:
        """The finding: above, below or undecided, marked if the budget was reduced; None if there are no
        differences."""
        if self.differences is None:
            return None
        called = self.adjusted_p is not None and self.adjusted_p < LEVEL and not self.unfinished_search
        word = "undecided" if not called else "above" if self.differences.mean > 0 else "below"
        return Finding(word, self.reduced)

    @property
    def outcome(self) -> Finding | None:
        """The outcome of the paper's claim: as claimed, contradicted or undecided, marked as the finding is.

        None for a question of ours, and if there are no differences. That rows are alike cannot be shown here.
        """
        if self.finding is None or self.claim is None:
            return None
        if self.finding.word == "undecided":
            return self.finding
        held = self.finding.word == ("below" if self.claim == "not above" else self.claim)
        return Finding(AS_CLAIMED if held else CONTRADICTED, self.reduced)

    @property
    def verdict(self) -> str:
        """The finding, whether the paper claims it, and a remark in brackets; or why there are no differences."""
        if self.finding is None:
            return self.reason
        if self.adjusted_p is None:
            return f"{self.finding} (one pair)"
        if self.unfinished_search:
            return f"{self.finding} ({self.unfinished_search})"
        if self.finding.word == "undecided":
            count = self.pairs_needed
            return f"{self.finding} ({pluralize(count, 'more pair')})" if count else str(self.finding)
        word = self.finding.word + (f" {ON_THESE_ITEMS}" if self.on_these_items else "")
        return ", ".join([word, *([self.outcome.word] if self.outcome else []), *([REDUCED] if self.reduced else [])])

    @property
    def on_these_items(self) -> bool:
        """True if the rows differ on these test items, and the order may be another on other items: if the interval
        over items includes 0."""
        decided = self.finding is not None and self.finding.word != "undecided"
        return decided and self.over_items is not None and self.over_items[0] <= 0 <= self.over_items[1]

    @property
    def pairs_needed(self) -> int | None:
        """The number of further pairs with which this difference would be significant in 80% of cases.

        None if it is significant, for folds, of which there are no more, and if it would take over MOST_PAIRS in all.
        """
        if self.differences is None or self.adjusted_p is None or self.adjusted_p < LEVEL or self.over_folds:
            return None
        enough = pairs_to_significance(self.differences, self.overlap, LEVEL / self.undecided_count)
        return None if enough is None else enough - self.differences.n
