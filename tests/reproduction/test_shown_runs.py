"""Which of a row's runs a table shows, where they differ in data or budget; made-up records."""

from made_up import SPEC, data, ours, record, run_of, shown

from attest.reproduction.pages.other_runs import list_other_runs
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.pages.terminal.table_runs import render_runs
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells


def test_data_states_are_never_averaged_and_the_most_complete_is_shown():
    part = data(train=112_285, fingerprint="part")
    records = [record("disan", f"seed={seed}", test=70.0, data=part) for seed in (1, 2)]
    whole = [record("disan", f"seed={seed}", test=85.0) for seed in (1, 2)]
    found = shown([*records, *whole])
    assert ours(found).values == (85.0, 85.0)
    assert [len(group.records) for _, group in found.other_groups] == [2]
    third = record("disan", "seed=3", test=70.0, data=part)
    assert ours(shown([*records, third, *whole])).values == (70.0, 70.0, 70.0)
    text = render_table(build(SPEC, "paper", [*records, third, *whole]))
    assert "## Other runs" in text
    assert "- Directional self-attention network (DiSAN): 2 runs, Test 85.00 ± 0.00 %; fewer deviations than" in text
    short = record("disan", "seed=4", "protocol.steps=200", test=60.0)
    assert "1 run, Test 60.00 %; protocol.steps 200 instead of 400,000" in render_table(
        build(SPEC, "paper", [*whole, short])
    )


def test_a_quick_run_does_not_displace_a_finished_experiment():
    """Which has evaluated more often, so that it has more deviations."""
    finished = [
        record("disan", f"seed={seed}", "protocol.steps=8000", "protocol.evaluate_every=500") for seed in (1, 2)
    ]
    quick = record("disan", "protocol.steps=1200", test=1.0)
    assert shown([quick, *finished]).group.records == tuple(finished)
    many = [record("disan", f"seed={seed}", "protocol.steps=20", test=1.0) for seed in range(1, 8)]
    five = [record("disan", f"seed={seed}") for seed in range(1, 6)]
    assert shown([*many, *five]).replicates_text == "5 of 5 runs", (
        "more replicates than the table asks for gain nothing"
    )
    assert shown(many).replicates_text == "7 runs, the table asks for 5"


def test_tracked_runs_are_shown_before_others():
    tracked, local = record("disan", "protocol.steps=200", test=60.0), [record("disan", f"seed={s}") for s in (1, 2)]
    table = build(SPEC, "paper", [tracked, *local], tracked=[tracked.id])
    (found,) = next(line for line in table.rows if line.name == "disan").results
    assert found.group.records == (tracked,)
    assert "Test 85.00 ± 0.00 %; fewer deviations than the runs shown" in render_table(table)
    assert "also        2 runs, Test 85.00" in render_runs(table, "disan")


def test_runs_that_another_row_shows_are_not_among_the_other_runs():
    """Batches belong to the budget, so that runs of the row that changes them match the first row too."""
    spec = load_table("dam/choices")
    by_row = {cell.row: cell for cell in cells(spec, "paper")}
    first, other = (run_of(by_row[row], **{"dev/pearson": 0.7}) for row in ("ours", "batches"))
    table = build(spec, "paper", [first, other])
    lines = {line.name: line.results[0] for line in table.rows}
    assert [group.records for _, group in lines["ours"].other_groups] == [(other,)] == [lines["batches"].group.records]
    assert list(list_other_runs(table)) == []


def test_runs_longer_than_asked_for_come_last():
    asked, longer = record("disan"), [record("disan", f"seed={s}", "protocol.steps=500000") for s in (1, 2)]
    assert shown([*longer, asked]).group.records == (asked,)
    assert not shown(longer).reduced


def test_of_budgets_that_deviate_alike_the_longer_is_shown():
    short, long = (record("disan", f"protocol.steps={steps}", test=80.0) for steps in (200, 900))
    group = shown([short, long]).group
    assert group is not None
    assert group.records[0].settings["protocol.steps"] == 900


def test_of_equally_many_runs_those_are_shown_that_other_rows_have_alike():
    """Longer runs of one row do not displace those that its comparisons need."""
    short, long = (
        [record("disan", f"seed={seed}", f"protocol.steps={steps}", test=80.0) for seed in (1, 2)]
        for steps in (200, 900)
    )
    other = record("no_directions", "protocol.steps=200", test=79.0)
    assert shown([*short, *long]).group.records == tuple(long)
    assert shown([*short, *long, other]).group.records == tuple(short)
    rested = record("no_directions", "protocol.steps=900", test=81.0)
    assert shown([*short, *long, other, rested]).group.records == tuple(long), "the same number of rows: more steps"
