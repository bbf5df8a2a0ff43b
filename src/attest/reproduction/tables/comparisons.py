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
from attest.reproduction.tables.run_pairs import (
    RunPair,
    differences_of,
    interval_over_items,
    paired_runs,
    paired_with,
)
from attest.reproduction.tables.statistics import LEVEL, adjusted_p_values
from attest.reproduction.tables.table import RowResults, Table


@lru_cache(maxsize=100)  # a table's page, its line of the overview and its row in the README show the same results
def comparison_results(table: Table) -> Sequence[ComparisonResult]:
    """Return the results of the comparisons that the specification names, for the columns that are shown."""
    rows = {row.name: row for row in table.rows}
    shown = [
        comparison
        for comparison in table.spec.comparisons
        if table.columns.keys() >= set(comparison.columns) and {comparison.first, comparison.second} <= rows.keys()
    ]
    results = [compare_rows(table, comparison, rows[comparison.first], rows[comparison.second]) for comparison in shown]
    return with_adjusted_p_values(
        results, [named for named in table.spec.comparisons if table.columns.keys() >= set(named.columns)]
    )


def compare_rows(table: Table, comparison: Comparison, first: RowResults, second: RowResults) -> ComparisonResult:
    """Return the result of one comparison, whose p-value is not corrected yet."""
    column = table.columns[comparison.column]
    pairs, reason = compared_pairs(table, comparison, first, second)
    return ComparisonResult(
        first,
        second,
        column,
        comparison.text,
        comparison.claim,
        printed_difference=printed_difference(table, comparison, first, second),
        differences=differences_of(pairs) if pairs else None,
        reason=reason,
        over_items=interval_over_items(pairs, column, table.look_up_predictions),
        second_column=table.columns[comparison.than] if comparison.than else None,
    )


def compared_pairs(
    table: Table, comparison: Comparison, first: RowResults, second: RowResults
) -> tuple[list[RunPair], str]:
    """Return the pairs of runs behind a comparison, and the reason if there are none."""
    in_columns: list[list[RunPair]] = []
    for column in (table.columns[name] for name in comparison.columns):
        results = first.result_in(column), second.result_in(column)
        pairs, reason = paired_runs(*results, column, table.spec.compares_vectors)
        if reason:
            return [], reason
        in_columns.append(pairs)
    if comparison.than is None:
        return in_columns[0], ""
    pairs, others = in_columns
    return paired_with(pairs, others, table.columns[comparison.column].replicates or table.spec.replicates)


def printed_difference(table: Table, comparison: Comparison, first: RowResults, second: RowResults) -> float | None:
    """Return the difference that the paper's figures have; None if they are not printed or are of other runs."""
    figures = [table.printed_value(row, name) for name in comparison.columns for row in (first, second)]
    values = [figure.value for figure in figures if figure is not None and figure.value is not None]
    if not comparison.printed or len(values) < len(figures):
        return None
    return sum(sign * value for sign, value in zip((1, -1, -1, 1), values, strict=False))


def with_adjusted_p_values(results: Sequence[ComparisonResult], named: Sequence[Comparison]) -> list[ComparisonResult]:
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
        result
        if result.p is None
        else replace(result, adjusted_p=adjusted[place][0], undecided_count=adjusted[place][1])
        for place, result in enumerate(results)
    ]
