"""The lead of one row over another in two columns: a paper that says where a model helps more."""

import dataclasses

import numpy as np
import pytest
from made_up import run_of

from attest.reproduction.pages.comparisons import render_comparisons
from attest.reproduction.pages.summary import summary
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.comparisons import comparison_results
from attest.reproduction.tables.item_errors import ItemPredictions, no_predictions
from attest.runs.records import Record

SPEC = load_table("dam/sizes")
CELLS = cells(SPEC, "paper")
FEW = {"ngram_ff": {1: 31.0, 2: 33.0, 3: 32.0, 4: 99.0}, "bow": {1: 40.0, 2: 41.0, 3: 42.0, 4: 1.0}}
MANY = {"ngram_ff": {1: 60.0, 2: 62.0, 3: 61.0, 5: 1.0}, "bow": {1: 60.0, 2: 60.0, 3: 60.0, 5: 99.0}}
"""The seed -> the accuracy on hard pairs, for each row."""


def runs(column: str, accuracies: dict[str, dict[int, float]], fingerprint: str = "f") -> list[Record]:
    made = []
    for cell in CELLS:
        if cell.panel.name == column:
            run = run_of(cell)
            made += [
                dataclasses.replace(
                    run, id=f"{cell.row}-{column}-{seed}", seed=seed, settings={**run.settings, "seed": seed},
                    metrics={"test/accuracy@hard": accuracy}, data={**run.data, "fingerprint": fingerprint},
                )
                for seed, accuracy in accuracies[cell.row].items()
            ]  # fmt: skip
    return made


def table_of(records, look_up_predictions=no_predictions):
    return build(SPEC, "paper", records, look_up_predictions)


def lead(table):
    """The comparison of the lead with 1,000 pairs and that with 100,000."""
    return next(each for each in comparison_results(table) if each.second_column and each.column.title == "1k pairs")


def predicted(run, metric):
    """With few pairs each row has two of four items right, with many 4 and 3 of them."""
    few = {"ngram_ff": [1, 1, 0, 0], "bow": [0, 1, 0, 1]}
    many = {"ngram_ff": [1, 1, 1, 1], "bow": [0, 1, 1, 1]}
    row, column, _ = run.id.split("-")
    return ItemPredictions(np.arange(4), np.ones(4), np.array((few if column == "pairs_1k" else many)[row]))


def test_the_leads_of_one_seed_are_subtracted():
    """By hand: leads of -9, -8, -10 and 0, 2, 1; differences -9, -10, -11, sd 1; t = 10 sqrt(3) = 17.32, so that p with
    two degrees of freedom is 1 - t / sqrt(t^2 + 2) = 0.00332. Holm takes it twice, since the table names two claims.
    Half of the interval is 4.3027 / sqrt(3) = 2.484."""
    found = lead(table_of([*runs("pairs_1k", FEW), *runs("pairs_100k", MANY)]))
    assert found.differences is not None
    assert found.differences.values == (-9, -10, -11), "seeds 4 and 5 ran with one of the sizes"
    assert found.p == pytest.approx(0.00332, abs=1e-5)
    assert found.adjusted_p == pytest.approx(2 * 0.00332, abs=2e-5)
    assert found.interval == pytest.approx((-12.484, -7.516), abs=1e-3)
    assert found.verdict == "below, against the claim, at reduced budget"


def test_the_interval_over_items_takes_each_item_once():
    """By hand: leads on items 100, 0, 0, -100 and 100, 0, 0, 0; differences 0, 0, 0, -100 around -25, so that the
    standard error is sqrt(3 x 25^2 + 75^2) / 4 = 21.651."""
    records = [*runs("pairs_1k", FEW), *runs("pairs_100k", MANY)]
    found = lead(table_of(records, predicted))
    assert found.over_items == pytest.approx((-10 - 1.96 * 21.651, -10 + 1.96 * 21.651), abs=1e-2)
    assert found.verdict == "below on these test items, against the claim, at reduced budget"
    page = "\n".join(render_comparisons(table_of(records, predicted)))
    assert '- "on these test items": p is below 0.05, but the interval over items includes 0.' in page


def test_what_a_page_says_of_leads():
    table = table_of([*runs("pairs_1k", FEW), *runs("pairs_100k", MANY)])
    rows = render_comparisons(table)
    assert rows[2].startswith("| Lead of DAM N-gram + FF att. over DAM BoW, 1k pairs − 100k | −10.0 (−12.5 to −7.5),")
    assert any(row.startswith('- "Lead of A over B, C − D": the difference A − B in column C') for row in rows)
    lag = "(lead of DAM N-gram + FF att. over DAM BoW smaller on 1k pairs than on 100k by 10.0)"
    assert f"1 of 1 against the claim {lag}" in summary(table)[0]


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ([], "not run"),
        (runs("pairs_100k", MANY, "other words"), "not comparable: other data"),
        (runs("pairs_100k", {row: {5: 1.0} for row in MANY}), "not comparable: no replicate that both have"),
    ],
)
def test_leads_that_cannot_be_subtracted(others, reason):
    found = lead(table_of([*runs("pairs_1k", FEW), *others]))
    assert (found.differences, found.verdict) == (None, reason)
