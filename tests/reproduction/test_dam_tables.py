"""DAM by one recipe, the same for all systems and the same runs where two tables ask for them; sources counted."""

from dataclasses import replace

from made_up import run_of

from attest.reproduction.pages.table_page import render_table
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells

FIVE = ("bow", "bow_ff", "rnn_ff", "cnn3", "ngram_ff")


def on_stsb(table):
    wanted = {cell.row: cell for cell in cells(load_table(table), "paper") if cell.settings.dataset.name == "stsb"}
    assert wanted
    return wanted


def test_systems_differ_in_the_model_alone():
    system = ("model.", "label.")
    wanted = [
        {k: v for k, v in cell.shared_settings.items() if not k.startswith(system)}
        for cell in on_stsb("dam/development").values()
    ]
    assert len(wanted) == 12
    assert all(settings == wanted[0] for settings in wanted)


def test_both_tables_show_the_same_runs():
    development, recipe = on_stsb("dam/development"), on_stsb("dam/recipe")
    assert {row: recipe[row].id for row in FIVE} == {row: development[row].id for row in FIVE}


def test_it_is_table_4_with_other_hyper_parameters():
    printed, ours = load_table("dam/table4"), load_table("dam/development")
    assert {name: row.title for name, row in printed.rows.items()} == {
        name: row.title for name, row in ours.rows.items()
    }
    assert [(each.first, each.second, each.text) for each in printed.comparisons] == [
        (each.first, each.second, each.text) for each in ours.comparisons
    ]
    kinds = ("attention", "context", "span")
    systems = [
        {row: [cell.shared_settings.get(f"model.{key}") for key in kinds] for row, cell in on_stsb(table).items()}
        for table in ("dam/table4", "dam/development")
    ]
    assert systems[0] == systems[1]


def counting(run, genres):
    splits = {name: {**counts, "genres": genres} for name, counts in run.data["splits"].items()}
    return replace(run, data={**run.data, "splits": splits})


def test_sources_of_the_sts_benchmark_are_counted():
    spec = load_table("dam/table2")
    run = run_of(cells(spec, "paper", ["images"])[0])
    columns = spec.columns_at("paper").values()
    for record, images in ((run, None), (counting(run, {"images": 7, "deft-news": 0}), [7, 7, 7])):
        lines = {line.name: line for line in build(spec, "paper", [record]).rows}
        found = {name: [line.our_value(column) for column in columns] for name, line in lines.items()}
        assert found["headlines"] == [None] * 3  # no such source: the record says nothing of it
        assert [summary and summary.mean for summary in found["images"]] == (images or [None] * 3)
        assert [summary and summary.mean for summary in found["deft_news"]] == ([0, 0, 0] if images else [None] * 3)


def test_what_is_counted_has_no_deviation():
    spec = load_table("dam/table2")
    run = counting(run_of(cells(spec, "paper", ["images"])[0]), {"images": 1_000})
    second = replace(run, id="second", seed=2, settings={**run.settings, "seed": 2})
    text = render_table(build(spec, "paper", [run, second]))
    assert "| 1,000 | 1,000 |" in text
    assert "done (2 of 5 runs)" in text
    assert "±" not in text
