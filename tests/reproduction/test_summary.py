"""The sentence at the top of a page."""

import dataclasses

import pytest
from made_up import SPEC, record

from attest.reproduction.pages.summary import counts_text, summary
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build


def summary_of(records):
    (text,) = summary(build(SPEC, "paper", records))
    return text


def runs(row, *figures):
    return [record(row, f"seed={seed}", test=figure) for seed, figure in enumerate(figures)]


def test_a_page_says_on_top_what_came_of_it():
    assert summary_of([]) == "No row of this table has run yet."
    counted = "1 of 1 numbers of parameters are those that the paper prints."
    assert summary_of([record("disan")]) == f"Our figures against the paper's: 1 undecided. {counted}"
    disan, without = runs("disan", 85.6, 85.7, 85.5), runs("no_directions", 80.0, 80.2, 79.8)
    assert summary_of([*disan, *without]) == (
        "Our figures against the paper's: 1 within, 1 below. Claims of the paper: 1 of 1 as claimed "
        "(Directional self-attention network (DiSAN) above DiSAN without directions by 5.60 on Test). "
        "2 of 2 numbers of parameters are those that the paper prints."
    )
    more = summary_of([*disan, *without, *runs("bilstm", 85.5, 85.9, 85.4)])
    assert "by 5.60 on Test); 1 of 2 undecided. " in more
    assert render_table(build(SPEC, "paper", disan)).splitlines()[2] == summary_of(disan)


def test_more_than_two_pairs_of_rows_that_differ_are_a_list():
    disan, without = runs("disan", 85.6, 85.7, 85.5), runs("no_directions", 80.0, 80.2, 79.8)
    more = [*runs("bilstm", 70.0, 70.2, 69.8), *runs("s2t", 75.0, 75.3, 74.9), *runs("additive", 76.0, 76.1, 75.7)]
    text, empty, *bullets = summary(build(SPEC, "paper", [*disan, *without, *more]))
    assert "Claims of the paper: 2 of 3 as claimed; 1 of 3 against the claim. " in text
    assert empty == ""
    first = "Directional self-attention network (DiSAN) above"
    assert sorted(bullets) == [
        "- Against the claim: Word embedding with s2t self-attention below Word embedding with additive attention by "
        "0.87 on Test.",
        f"- As claimed: {first} Bi-LSTM with s2t self-attention by 15.60 on Test.",
        f"- As claimed: {first} DiSAN without directions by 5.60 on Test.",
    ]


def test_a_reduced_budget_is_part_of_it():
    short = [record("disan", "protocol.steps=5", f"seed={seed}", test=10.0 + seed) for seed in range(3)]
    assert summary_of(short) == (
        "Our figures against the paper's: 1 below. 1 of 1 numbers of parameters are those that the paper prints. "
        "All findings are at reduced budget."
    )
    full = runs("no_directions", 80.0, 80.1, 79.9)
    assert summary_of([*short, *full]).endswith("Findings at reduced budget: 1 of 2.")


@pytest.mark.parametrize(
    ("value", "decimals", "equal"),
    [(2.35, 2, 1), (2.345, 3, 1), (2.3, 1, 1), (2, 0, 1), (2.35, 3, 0), (2.3, 2, 0), (2.4, 1, 0)],
)
def test_counts_are_compared_as_precisely_as_the_paper_prints_them(value, decimals, equal):
    """The model has 2,345,403 parameters: a printed 2.300 is not reached."""
    row = SPEC.rows["disan"]
    figure = dataclasses.replace(row.paper["parameters"], value=value, decimals=decimals)
    printed = dataclasses.replace(row, paper={**row.paper, "parameters": figure})
    spec = dataclasses.replace(SPEC, rows={**SPEC.rows, "disan": printed})
    assert counts_text(build(spec, "paper", [record("disan")])) == [
        f"{equal} of 1 numbers of parameters are those that the paper prints."
    ]


def test_sizes_of_models_are_counted_on_every_page_although_nothing_has_run():
    assert counts_text(build(load_table("psan/table2"), "paper", [])) == [
        "3 of 3 numbers of features and 1 of 3 numbers of parameters are those that the paper prints."
    ]
    (text,) = counts_text(build(load_table("ssa/table4"), "paper", []))
    assert text.startswith("10 of 24 numbers of parameters")
