"""Comparisons of one row with another, replicate by replicate: a paper's claims about their order, or the effect of an
option.

Two questions are kept apart: whether other seeds would give the same order, and whether other test items would. The
claims of a table are corrected for their number, and so are its questions.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from attest.reproduction.specs.rows import Comparison
from attest.reproduction.tables.comparison_result import ComparisonResult
from attest.reproduction.tables.run_pairs import differences_of, interval_over_items, paired_runs
from attest.reproduction.tables.statistics import LEVEL, adjusted_p_values
from attest.reproduction.tables.table import Line, Table


@lru_cache(maxsize=100)  # a table's page, its line of the overview and its row in the README show the same results
def comparison_results(table: Table) -> Sequence[ComparisonResult]:
    """Return the results of the comparisons that the specification names, for the columns that are shown."""
    lines = {line.name: line for line in table.lines}
    shown = [
        comparison
        for comparison in table.spec.comparisons
        if comparison.column in table.columns and {comparison.first, comparison.second} <= lines.keys()
    ]
    results = [
        compare_rows(table, comparison, lines[comparison.first], lines[comparison.second]) for comparison in shown
    ]
    return corrected(results, [named for named in table.spec.comparisons if named.column in table.columns])


def compare_rows(table: Table, comparison: Comparison, first: Line, second: Line) -> ComparisonResult:
    """Return the result of one comparison, whose p-value is not corrected yet."""
    column = table.columns[comparison.column]
    pairs, reason = paired_runs(first.result_in(column), second.result_in(column), column, table.spec.compares_vectors)
    printed = [table.printed(line, comparison.column) for line in (first, second)]
    values = [figure.value for figure in printed if figure is not None and figure.value is not None]
    return ComparisonResult(
        first,
        second,
        column,
        comparison.text,
        comparison.claim,
        printed=values[0] - values[1] if comparison.printed and len(values) == 2 else None,
        differences=differences_of(pairs) if pairs else None,
        reason=reason,
        over_items=interval_over_items(pairs, column, table.look_up_predictions),
    )


def corrected(results: Sequence[ComparisonResult], named: Sequence[Comparison]) -> list[ComparisonResult]:
    """Return the results of one table, each with its p-value corrected for the number of comparisons of its kind.

    Claims are one kind, and questions of ours the other. `named` are the comparisons that the specification names:
    those that have not run count too, with p = 1, so that further runs of other rows withdraw no finding.
    """
    adjusted: dict[int, tuple[float, int]] = {}
    for is_claim in (True, False):
        places = [place for place, result in enumerate(results) if (result.claim is not None) == is_claim]
        p_C = np.ones(sum((comparison.claim is not None) == is_claim for comparison in named))
        p_C[: len(places)] = [1.0 if (p := results[place].p) is None else p for place in places]
        adjusted_C = adjusted_p_values(p_C[None])[0]
        undecided = max(1, int((adjusted_C >= LEVEL).sum()))
        adjusted |= {place: (float(adjusted_C[number]), undecided) for number, place in enumerate(places)}
    return [
        result if result.p is None else replace(result, adjusted_p=adjusted[place][0], undecided=adjusted[place][1])
        for place, result in enumerate(results)
    ]
