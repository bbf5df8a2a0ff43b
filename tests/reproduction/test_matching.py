"""Which records are runs of a row, and how they are averaged; made-up records."""

import dataclasses

from made_up import SPEC, ours, record, shown

from attest.config.settings import Settings
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.pages.terminal.table_runs import render_runs
from attest.reproduction.tables.allowed_deviations import allowed_deviations
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.matching import INDEX_KEYS
from attest.reproduction.tables.run_groups import run_groups


def test_replicates_are_averaged_within_their_row_alone():
    found = shown(
        [record("disan", f"seed={seed}", test=85.0 + seed) for seed in (1, 2, 3)] + [record("s2t", test=10.0)]
    )
    assert (ours(found).mean, ours(found).sd, found.replicates_text) == (87.0, 1.0, "3 of 5 runs")
    assert shown([record("no_directions")]).status == "not run"


def test_groups_sort_replicates_by_seed():
    cell = cells(SPEC, "paper", ["disan"])[0]
    (group,) = run_groups(cell, [record("disan", f"seed={seed}") for seed in (3, 0, 2)])
    assert [r.seed for r in group.records] == [0, 2, 3]


def test_scales_never_mix():
    mini = record("disan", scale="mini")
    assert shown([mini]).status == "not run"
    assert shown([mini], scale="mini").status == "done"
    text = render_table(build(SPEC, "mini", [mini]))
    assert "says nothing about the paper" in text
    assert "85.62" not in text
    assert "Bowman" not in text


def test_another_experiment_is_not_a_deviation():
    assert shown([record("disan", "optimizer.lr=1")]).status == "not run"
    assert (
        shown([record("disan", "protocol=authors", "protocol.evaluate_every=null", "protocol.evaluate_from=0")]).status
        == "not run"
    )


def test_a_run_of_one_step_is_no_short_training():
    assert shown([record("disan", "protocol.steps=1")]).status == "not run"
    assert shown([record("disan", "protocol.steps=2")]).status == "done"


def test_older_records_lack_settings_that_came_later():
    old = record("disan")
    settings = {key: value for key, value in old.settings.items() if key not in ("vectors.unknown", "model.fusion")}
    found = shown([dataclasses.replace(old, settings=settings)])
    assert found.status == "done"
    assert found.deviations == shown([old]).deviations
    other = dataclasses.replace(old, settings={**settings, "vectors.unknown": "normal"})
    assert shown([other]).status == "not run"


def test_records_of_older_code_do_not_count():
    old = record("disan")
    assert shown([dataclasses.replace(old, versions={**old.versions, "model": 0})]).status == "not run"


def test_records_are_indexed_by_what_no_budget_changes():
    """Else a run of another budget would never be compared with its cell."""
    assert not set(INDEX_KEYS) & allowed_deviations(Settings).keys()


def test_two_records_of_one_seed_count_once_and_are_shown():
    """lr=1 and 1.0 once had two ids: counted as two runs, their interval is far too narrow."""
    records = [record("disan", f"seed={seed}", test=80.0 + seed, finished="2026-01-01") for seed in (1, 2)]
    later = dataclasses.replace(records[0], id="f" * 12, finished="2026-01-02", metrics={"test/accuracy": 99.0})
    found = shown([later, *records])
    assert (ours(found).values, found.replicates_text) == ((81.0, 82.0), "2 of 5 runs")
    assert found.group.repeats == (later,)
    (group,) = run_groups(
        found.cell, [later, dataclasses.replace(records[0], environment={"uncommitted_changes": True})]
    )
    assert group.records == (later,)
    table = build(SPEC, "paper", [later, *records])
    assert "repeated    ffffffffffff seed=1: a second record, not counted" in render_runs(table, "disan")
    assert "1 further record repeats a seed and is not counted; `attest show disan/table1` lists" in render_table(table)
