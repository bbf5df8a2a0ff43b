"""Tables are what the tracked records say, and nothing else."""

from dataclasses import replace

import pytest
from made_up import SPEC, finished_run, record
from places import ROOT

from attest.benchmarks.spec import load_benchmark
from attest.config.compose import compose
from attest.config.paths import home, tracked_results
from attest.errors import SettingsError
from attest.reproduction.collate import outdated_files, outdated_pictures, write_results
from attest.reproduction.load import records_in
from attest.reproduction.placeholders import fill_placeholders
from attest.reproduction.publish import copy_table_records
from attest.reproduction.tables.build import build
from attest.runs.store import Store


def test_the_tracked_tables_are_what_the_tracked_records_say():
    assert outdated_files(ROOT / "results") == []


def test_collating_again_changes_nothing_and_a_typed_number_is_noticed():
    results = tracked_results()
    Store(results / "records").put(record("disan"))
    (home() / "README.md").write_text("# It\n<!-- table disan/table1 -->\n<!-- end -->\nrest\n")
    written = write_results(results)
    assert {path.name for path in written} >= {"table1.md", "table1.csv", "table1.tex", "README.md"}
    assert write_results(results) == []
    assert outdated_files(results) == []
    table = results / "disan/table1.md"
    table.write_text(table.read_text().replace("85.00", "85.99"))
    assert outdated_files(results) == [table]
    assert write_results(results) == [table]
    text = (home() / "README.md").read_text()
    assert "| 85.00 | 85.62 | undecided | 1 of 5 runs |" in text
    assert text.endswith("<!-- end -->\nrest\n")


def test_mini_and_local_records_do_not_count(home):
    for folder in ("mini", "local"):
        Store(home / "results" / folder / "records").put(record("disan"))
    assert records_in([tracked_results()]) == []


def test_publishing_copies_the_records_of_a_table(home):
    local = home / "results/local"
    for made in (record("disan"), record("disan", "protocol.steps=200"), record("disan", "optimizer.lr=1")):
        Store(local / "records").put(made, {})
    table = build(SPEC, "paper", records_in([local]))
    copied = copy_table_records(table, local, tracked_results())
    assert len(copied) == 2  # the other experiment belongs to no row
    assert copy_table_records(table, local, tracked_results()) == []
    store = Store(local / "records")
    first = store.get(copied[0])
    dirty = replace(first, environment={"uncommitted_changes": True})
    Store(tracked_results() / "records").put(dirty, {})
    assert copy_table_records(table, local, tracked_results()) == [first.id], "it replaces one of uncommitted code"
    assert Store(tracked_results() / "records").get(first.id) == first
    names = {path.suffix for path in (tracked_results() / "records").iterdir()}
    assert names == {".json", ".npz"}


def test_what_a_record_was_made_from_is_published_with_it(home):
    """As the parser behind the phrases of a run."""
    local = Store(home / "results/local/records")
    parser = replace(record("disan"), id="parser", kind="parser")
    made = replace(record("disan"), parents=["parser", "made elsewhere"])
    for one in (parser, made):
        local.put(one)
    assert copy_table_records(build(SPEC, "paper", [made]), home / "results/local", tracked_results()) == [
        made.id,
        "parser",
    ]


def test_only_marked_places_are_filled():
    assert fill_placeholders("nothing marked", {"table a": "x\n"}) == "nothing marked"
    marked = "<!-- table a -->\nold\n<!-- end --> <!-- table b -->\nold\n<!-- end -->"
    assert fill_placeholders(marked, {"table a": "x\n"}) == marked.replace("old", "x", 1)


def test_a_missing_end_mark_loses_no_text():
    text = "<!-- table a -->\nold\n\nby hand\n<!-- table b -->\nold\n<!-- end -->"
    with pytest.raises(SettingsError, match="<!-- table a -->: no <!-- end --> follows it"):
        fill_placeholders(text, {"table a": "x\n"})
    with pytest.raises(SettingsError, match="<!-- table a -->: no <!-- end --> follows it"):
        fill_placeholders("<!-- table a -->\nold\n", {"table a": "x\n"})


def test_the_tracked_pictures_are_drawn_from_the_tracked_records():
    assert outdated_pictures(ROOT / "results") == []


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_a_picture_of_other_records_is_named(home, suffix):
    """Each of the two files of a chart is checked."""
    draw = pytest.importorskip("attest.reproduction.figures.benchmarks").draw_benchmark
    results, rows = tracked_results(), [{"case": "a", "variant": "b", "unit": "ms", "values": [1.0, 2.0]}]
    measured = finished_run(compose([]), kind="bench", curve=rows)
    measured = replace(measured, settings={"benchmark": "step"})
    Store(results / "records").put(measured)
    for name in ("svg", "png"):
        draw(load_benchmark("step"), measured, results / f"benchmarks/step.{name}")
    assert outdated_pictures(results) == []
    path = results / f"benchmarks/step.{suffix}"
    draw(load_benchmark("step"), replace(measured, id="another"), path)
    assert outdated_pictures(results) == [("benchmarks/step", path)]


def test_collate_check_fails_on_a_difference(cli):
    assert cli.run("collate", "--check").returncode == 1
    cli.output("collate")
    cli.output("collate", "--check")
