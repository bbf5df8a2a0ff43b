"""The sentence at the top of a page."""

from made_up import SPEC, record

from attest.reproduction.pages.markdown import render_table
from attest.reproduction.pages.summary import counts_text, decimals_of, summary
from attest.reproduction.tables.build import build


def summary_of(records):
    return summary(build(SPEC, "paper", records))


def runs(row, *figures):
    return [record(row, f"seed={seed}", test=figure) for seed, figure in enumerate(figures)]


def test_a_page_says_on_top_what_came_of_it():
    assert summary_of([]) == "No experiment of this table has run yet."
    counted = "1 of 1 numbers of examples or parameters are those that the paper prints."
    assert summary_of([record("disan")]) == f"Our figures against the paper's: 1 undecided. {counted}"
    disan, without = runs("disan", 85.6, 85.7, 85.5), runs("no_directions", 80.0, 80.2, 79.8)
    assert summary_of([*disan, *without]) == (
        "Our figures against the paper's: 1 within, 1 below. Claims of the paper: 1 of 1 as claimed "
        "(Directional self-attention network (DiSAN) above DiSAN without directions by 5.60 on Test). "
        "2 of 2 numbers of examples or parameters are those that the paper prints."
    )
    more = summary_of([*disan, *without, *runs("bilstm", 85.5, 85.9, 85.4)])
    assert "by 5.60 on Test); 1 of 2 undecided. " in more
    assert render_table(build(SPEC, "paper", disan)).splitlines()[2] == summary_of(disan)


def test_a_reduced_budget_is_part_of_it():
    short = [record("disan", "protocol.steps=5", f"seed={seed}", test=10.0 + seed) for seed in range(3)]
    assert summary_of(short) == (
        "Our figures against the paper's: 1 below. 1 of 1 numbers of examples or parameters are those that the paper "
        "prints. "
        "All findings are at reduced budget."
    )
    full = runs("no_directions", 80.0, 80.1, 79.9)
    assert summary_of([*short, *full]).endswith("Findings at reduced budget: 1 of 2.")


def test_counts_are_compared_as_precisely_as_the_paper_prints_them():
    assert [decimals_of(value) for value in (40, 2.35, 0.0, 82.10)] == [0, 2, 0, 1]
    table = build(SPEC, "paper", [record("disan")])
    assert counts_text(table) == ["1 of 1 numbers of examples or parameters are those that the paper prints."]
