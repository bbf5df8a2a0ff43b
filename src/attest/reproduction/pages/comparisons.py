"""The comparisons of rows on a table's page: differences, intervals and what was found."""

from collections.abc import Sequence

from attest.reproduction.pages.markdown_parts import bullets, table_row
from attest.reproduction.pages.numbers import (
    MISSING,
    format_interval,
    format_mean_difference,
    format_p,
    with_minus_signs,
)
from attest.reproduction.tables.comparison_result import ON_THESE_ITEMS, ComparisonResult
from attest.reproduction.tables.comparisons import comparison_results
from attest.reproduction.tables.run_pairs import NO_SHARED_REPLICATE, NOT_COMPARABLE, NOT_RUN, OTHER_DATA
from attest.reproduction.tables.statistics import MAX_PAIRS, POWER
from attest.reproduction.tables.table import Table

COMPARISONS = (
    '"Difference, ours" is the mean over pairs of runs, one run of each row with the same seed or fold. Its 95% '
    "confidence interval is in brackets. It is not corrected for the number of comparisons, so it may exclude 0 where "
    "p is above 0.05.",
    '"p" is that of a two-sided paired t-test: the probability of a difference at least this large, in either '
    "direction, between rows that are equal on these test items. It is corrected for the number of claims that this "
    "table names, run or not, and p of a question for the number of questions (Holm's method). It decides the finding.",
    '"Over items" is the 95% interval of the same difference for the same runs on other test items of this kind, not '
    "corrected either. Where it includes 0, the order may be another on other items, whatever p is.",
    '"above", "below": the figure of the first row is higher or lower than that of the second, with p below 0.05.',
    '"undecided": p is higher, or there is only one pair or all differences are equal, so that there is no interval.',
)
LEADS = (
    '"Lead of A over B, C − D": the difference A − B in column C, less that in column D, for runs with the same seed. '
    '"above", "below": the lead is larger or smaller in C than in D; a lead below 0 means that A is behind.'
)
ON_ITEMS = f'"{ON_THESE_ITEMS}": p is below 0.05, but the interval over items includes 0.'
CLAIMED = (
    '"as claimed", "against the claim": the paper says the same, or says otherwise. The last column quotes '
    "or shortens the paper's claim, or states our question."
)
CLAIMED_HERE = (
    '"as claimed", "against the claim": the difference is as the claim of this table says, or otherwise. The last '
    "column holds the claim or the question."
)
MORE_PAIRS = (
    '"more pairs": with so many further seeds, a difference of this size and spread would be significant in '
    f"{POWER:.0%} of cases. That is a rough guide, because further seeds change both. Who tests again after adding "
    "seeds calls equal rows different in more than 5% of cases. No number stands where it would take over "
    f"{MAX_PAIRS} pairs in all, or where pairs are folds, of which there are no more."
)
REASONS = {
    NO_SHARED_REPLICATE: '"no replicate that both have": the runs of the two rows have other seeds or folds.',
    OTHER_DATA: '"other data": the two rows were not trained or tested on the same examples.',
    NOT_COMPARABLE: '"only the first has", "only the second has": how the runs of that row alone deviate from what the '
    "table asks for.",
    NOT_RUN: '"not run": one of the two rows has no finished run.',
}
"""The reason why there is no difference, or how it begins -> what it means; the first that fits explains it."""
UNFINISHED = (
    '"1 of 5 settings": this row is the best of five settings, of which one has run. Its comparisons stay undecided '
    "until all have run."
)


def render_comparisons(table: Table, *, of_paper: bool = True) -> list[str]:
    """Return the lines of the comparisons of rows with rows and how to read them; no lines if the table has none.

    `of_paper` says whether claims are those of a paper, and not of a table of the user's own.
    """
    if not (comparisons := comparison_results(table)):
        return []
    shows_paper = any(comparison.printed_difference is not None for comparison in comparisons)
    printed = ["Difference, paper"] * shows_paper
    asked = "Open choice" if table.spec.choices else "Claim or question"
    head = ["Compared", "Difference, ours", "p", "Over items", *printed, "Finding", asked]
    rows = [table_row(comparison_cells(table, comparison, shows_paper=shows_paper)) for comparison in comparisons]
    texts = explanations(comparisons, of_paper=of_paper)
    alignment = ["---", *["---:"] * (len(head) - 3), "---", "---"]
    return [table_row(head), table_row(alignment), *rows, "", *bullets(texts)]


def comparison_cells(table: Table, comparison: ComparisonResult, *, shows_paper: bool) -> list[str]:
    """Return the cells of the row of a comparison; one of them is the paper's difference if the page shows it."""
    printed = (
        ""
        if comparison.printed_difference is None
        else f"{comparison.printed_difference:+.{comparison.column.decimals}f}"
    )
    return [
        subtraction(table, comparison),
        format_pairs(comparison),
        MISSING if comparison.adjusted_p is None else format_p(comparison.adjusted_p),
        format_item_interval(comparison),
        *([with_minus_signs(printed)] if shows_paper else []),
        comparison.verdict,
        comparison.text,
    ]


def subtraction(table: Table, comparison: ComparisonResult) -> str:
    """Return what is subtracted: one row from another, or the lead of a row in one column from that in another."""
    first, second, column = (
        comparison.first.spec.title,
        comparison.second.spec.title,
        table.column_title(comparison.column),
    )
    if comparison.second_column is not None:
        return f"Lead of {first} over {second}, {column} − {table.column_title(comparison.second_column)}"
    return f"{first} − {second}" + (f", {column}" if len(table.columns) > 1 else "")


def explanations(comparisons: Sequence[ComparisonResult], *, of_paper: bool) -> list[str]:
    """Return what the heads and words of the table of comparisons mean, as far as they occur in it."""
    texts: list[str] = [*COMPARISONS]
    if any(comparison.on_these_items for comparison in comparisons):
        texts.append(ON_ITEMS)
    if any(comparison.second_column for comparison in comparisons):
        texts.append(LEADS)
    if any(comparison.claim for comparison in comparisons):
        texts.append(CLAIMED if of_paper else CLAIMED_HERE)
    reasons = {comparison.reason for comparison in comparisons}
    starts = {next((start for start in REASONS if reason.startswith(start)), "") for reason in reasons if reason}
    texts += [text for start, text in REASONS.items() if start in starts]
    if any(comparison.pairs_needed for comparison in comparisons):
        texts.append(MORE_PAIRS)
    if any(comparison.unfinished_search for comparison in comparisons):
        texts.append(UNFINISHED)
    return texts


def format_pairs(comparison: ComparisonResult) -> str:
    """Return the mean difference, its interval and the number of pairs: +1.2 (+0.3 to +2.1), 5 pairs."""
    if comparison.differences is None:
        return MISSING
    return with_minus_signs(format_mean_difference(comparison.differences, comparison.interval, comparison.column))


def format_item_interval(comparison: ComparisonResult) -> str:
    """Return the interval over test items, or a dash if the predictions do not give one."""
    if comparison.over_items is None:
        return MISSING
    return with_minus_signs(format_interval(comparison.over_items, comparison.column))
