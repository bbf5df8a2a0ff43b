"""Rows against rows: pairs, intervals, and what must not be compared."""

import dataclasses

import numpy as np
import pytest
from made_up import SPEC, data, record

from attest.reproduction.pages.comparisons import render_comparisons
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.specs.rows import Comparison
from attest.reproduction.specs.table import check_comparison
from attest.reproduction.tables.build import build
from attest.reproduction.tables.comparisons import comparison_results, printed_difference
from attest.reproduction.tables.finding import Finding
from attest.reproduction.tables.item_errors import ItemPredictions
from attest.reproduction.tables.statistics import Summary, mean_interval


def pair(records, first="disan", second="no_directions"):
    found = comparison_results(build(SPEC, "paper", records))
    return next(each for each in found if (each.first.name, each.second.name) == (first, second))


def runs(row, tests, **changes):
    return [record(row, f"seed={seed}", test=test, **changes) for seed, test in tests.items()]


def test_replicates_are_paired():
    """By hand: differences 1, 2, 3; sd 1; t(0.975, 2) = 4.303; half of the interval 4.303 / sqrt(3) = 2.484."""
    found = pair([*runs("disan", {1: 81, 2: 92, 3: 73, 4: 99}), *runs("no_directions", {1: 80, 2: 90, 3: 70, 5: 1})])
    assert found.differences is not None
    assert found.differences.values == (1, 2, 3)
    assert found.interval == pytest.approx((2 - 2.484, 2 + 2.484), abs=1e-3)
    assert found.verdict == "undecided (4 more pairs)", "at seven, of four claims (1.25%)"
    assert found.printed_difference == pytest.approx(0.96)


@pytest.mark.parametrize(
    ("shift", "verdict"),
    [
        (5.0, "above, as claimed"),
        (-5.0, "below, against the claim"),
        (0.05, "undecided (28 more pairs)"),  # 0.64 standard deviations, at 31 pairs and 1.25%
        (0.0, "undecided"),  # it would take over 50 pairs in all, and three say little about so many
    ],
)
def test_verdicts(shift, verdict):
    noise = {1: 0.1, 2: -0.1, 3: 0.05}
    first = {seed: 80 + shift + more for seed, more in noise.items()}
    found = pair([*runs("disan", first), *runs("no_directions", dict.fromkeys(noise, 80.0))])
    assert found.verdict == verdict


def test_a_row_whose_search_is_not_finished_decides_no_comparison():
    """The paper compares with the best of five keep probabilities."""
    disan = runs("disan", {1: 85.1, 2: 84.9, 3: 85.05})
    rates = ("0.3", "0.25", "0.2", "0.15", "0.1")
    searched = [record("multi_head", f"dropout={p}", f"seed={seed}", test=80.0) for p in rates for seed in (1, 2, 3)]
    part = pair([*disan, *searched[:6]], second="multi_head")
    assert part.finding == part.outcome == Finding("undecided")
    assert part.verdict == "undecided (2 of 5 settings of Multi-head with s2t self-attention)"
    assert pair([*disan, *searched], second="multi_head").verdict == "above, as claimed"


def test_claims_are_corrected_for_the_number_that_the_table_names():
    """By hand: mean 0.4167, sd 0.1041, t = 6.934, so p is 0.0202. Holm takes it four times, since the table names four
    claims, and three times beside a claim with a lower p."""
    clear, equal = {1: 80.5, 2: 80.3, 3: 80.45}, dict.fromkeys((1, 2, 3), 80.0)
    alone = [*runs("disan", clear), *runs("no_directions", equal)]
    assert pair(alone).p == pytest.approx(0.0202, abs=1e-4)
    assert pair(alone).adjusted_p == pytest.approx(4 * 0.0202, abs=4e-4)
    assert pair(alone).verdict == "undecided (1 more pair)"
    unclear = [*alone, *runs("bilstm", {1: 81.0, 2: 80.0, 3: 79.0})]
    assert pair(unclear).adjusted_p == pair(alone).adjusted_p, "the claim about Bi-LSTM counted before it ran"
    question = [*alone, *runs("fast_disan", {1: 70.0, 2: 70.1, 3: 69.9})]
    assert pair(question).adjusted_p == pair(alone).adjusted_p, "our questions are corrected apart"
    assert pair(question, "fast_disan", "disan").adjusted_p == pair(question, "fast_disan", "disan").p, "the only one"
    clearer = [*alone, *runs("s2t", {1: 90.0, 2: 90.1, 3: 90.2}), *runs("additive", {1: 70.0, 2: 70.0, 3: 70.1})]
    assert pair(clearer).adjusted_p == pytest.approx(0.0606, abs=1e-4)
    assert pair(clearer).interval == pair(alone).interval


@pytest.mark.parametrize(
    ("claim", "shift", "outcome"),
    [
        ("above", 5.0, "as claimed"),
        ("above", -5.0, "against the claim"),
        ("below", -5.0, "as claimed"),
        ("not above", -5.0, "as claimed"),
        ("not above", 5.0, "against the claim"),
        ("alike", 5.0, "against the claim"),
        ("alike", 0.0, "undecided"),
        (None, 5.0, None),
    ],
)
def test_what_comes_of_a_claim(claim, shift, outcome):
    noise = {1: 0.1, 2: -0.1, 3: 0.05}
    first = {seed: 80 + shift + more for seed, more in noise.items()}
    found = pair([*runs("disan", first), *runs("no_directions", dict.fromkeys(noise, 80.0))])
    assert dataclasses.replace(found, claim=claim).outcome == (Finding(outcome) if outcome else None)


def test_equal_differences_by_chance_decide_nothing():
    found = pair([*runs("disan", {1: 80.2, 2: 81.2}), *runs("no_directions", {1: 80.0, 2: 81.0})])
    assert (found.interval, found.adjusted_p, found.verdict) == (None, 1.0, "undecided")


def test_rows_that_read_the_text_in_different_ways_are_compared_though_other_words_have_a_vector():
    part, other = data(vectors=1000), data(vectors=1000)
    other["vectors"] = {**other["vectors"], "training_words_found": 7}
    first, second = runs("disan", {1: 81, 2: 92}, data=part), runs("no_directions", {1: 80, 2: 90}, data=other)
    assert pair([*first, *second]).differences.values == (1, 2)
    elsewhere = runs("no_directions", {1: 80, 2: 90}, data={**other, "fingerprint": "another file"})
    assert pair([*first, *elsewhere]).verdict == "not comparable: other data"


def test_a_comparison_of_short_runs_is_marked():
    short = {row: runs(row, {1: 90.0 - i, 2: 90.1 - 1.01 * i}, data=data(train=1000, fingerprint="part"))
             for i, row in enumerate(("disan", "no_directions"))}  # fmt: skip
    found = pair([*short["disan"], *short["no_directions"]])
    assert found.reduced
    assert found.finding == Finding("above", reduced=True)


def test_random_splits_take_the_interval_of_folds():
    """By hand: mean 2, sd 1; 4.3027 sqrt(1/3 + 500/4500) = 2.8685."""
    facts = {**data(), "drawn": {"train": 4000, "dev": 500, "test": 500}}
    drawn = [
        *runs("disan", {1: 81, 2: 92, 3: 73}, data=facts),
        *runs("no_directions", {1: 80, 2: 90, 3: 70}, data=facts),
    ]
    assert pair(drawn).interval == pytest.approx((2 - 2.8685, 2 + 2.8685), abs=1e-3)
    assert "the training sets overlap" in render_table(build(SPEC, "paper", drawn))


def test_one_pair_decides_nothing():
    found = pair([*runs("disan", {1: 99}), *runs("no_directions", {1: 1})])
    assert (found.interval, found.verdict) == (None, "undecided (one pair)")
    assert mean_interval(Summary((3.0,))) is None


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ([], "not run"),
        (runs("no_directions", {1: 1}, data=data(train=1000, fingerprint="part")), "not comparable: other data"),
        (
            [record("no_directions", "seed=1", "protocol.steps=200")],
            "not comparable: only the second has protocol.steps 200 instead of 400,000",
        ),
        (runs("no_directions", {2: 1}), "no replicate that both have"),
    ],
)
def test_what_is_not_comparable_is_said(others, reason):
    found = pair([*runs("disan", {1: 99}), *others])
    assert found.differences is None
    assert reason in found.verdict


def test_in_markdown():
    def said(run, metric):
        return ItemPredictions(np.arange(4), np.ones(4), np.array([1, 1, 1, run.label.row == "disan"]))

    table = build(SPEC, "paper", [*runs("disan", {1: 82, 2: 83}), *runs("no_directions", {1: 80, 2: 80})], said)
    assert render_comparisons(table)[1] == "| --- | ---: | ---: | ---: | ---: | --- | --- |"
    rows = [text for text in render_comparisons(table) if text.startswith("| Directional")]
    assert "| +2.50 (−3.85 to +8.85), 2 pairs | 0.503 | −39.93 to +44.93 | +0.96 | undecided (2 more " in rows[-1]
    assert "| – | – | +1.45 | not run |" in rows[0]


def test_the_papers_leads_are_subtracted():
    """The paper prints 85.62 and 84.66 on test, 91.08 and 90.18 on train."""
    table = build(SPEC, "paper", [])
    first, second = (next(line for line in table.rows if line.name == row) for row in ("disan", "no_directions"))
    named = Comparison(first="disan", second="no_directions", column="test", than="train", text="")
    assert printed_difference(table, named, first, second) == pytest.approx(0.96 - 0.90)
    assert printed_difference(table, dataclasses.replace(named, than=None), first, second) == pytest.approx(0.96)


def test_a_comparison_names_rows_and_columns_that_there_are():
    for wrong, message in (
        ({"first": "nse"}, "nse is no row that we run"),
        ({"column": "tset"}, "Did you mean test"),
        ({"than": "tset"}, "here: there is no column tset. Did you mean test"),
        ({"than": "test"}, "here.than: test is `column` itself; name another column"),
        ({"than": "train"}, "here.than: metric of train and test differ; name a column with the same metric"),
    ):
        named = {"first": "disan", "second": "s2t", "column": "test", "text": "", **wrong}
        with pytest.raises(Exception, match=message):
            check_comparison("here", Comparison(**named), SPEC)
