"""PSAN's tables: the paper's figures as printed, our rows and sizes, and columns of transfer and of phrases."""

import dataclasses

import pytest
from made_up import run_of

from attest.config.flat import flatten
from attest.reproduction.pages.numbers import format_difference
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.comparisons import comparison_results
from attest.reproduction.tables.metrics import metric_value
from attest.reproduction.tables.model_sizes import model_size
from attest.runs.records import Record
from attest.transfer.settings import Transfer

PHRASES_PREFIX = {
    "train": {"sentences": 6, "words": 50, "phrases": [12, 20, 30]},
    "dev": {"sentences": 4, "words": 30, "phrases": [8, 10, 10]},
}


def printed(name, columns):
    return {
        row: [line.paper[column].value for column in columns]
        for row, line in load_table(name).rows.items()
        if line.paper
    }


def test_the_papers_figures():
    second = printed("psan/table2", ["dim", "theta", "snli", "micro", "macro"])
    assert second["psan"] == [300, 2.0, 86.1, 85.7, 84.5]
    assert [value for (value,) in printed("psan/table4", ["test"]).values()] == [
        84.9, 85.3, 84.6, 85.3, 85.5, 85.2, 84.7, 86.1
    ]  # fmt: skip
    assert printed("psan/table5", ["memory", "test"]) == {
        "multi_head": [1508, 87.1], "disan": [2943, 87.7], "psan": [1192, 89.1]
    }  # fmt: skip
    third = printed("psan/table3", load_table("psan/table3").columns)
    assert third["psan"] == [80.0, 84.2, 91.9, 89.9, 83.8, 89.1, 74.9, 82.1, 0.891, 86.9, 0.69, 0.67]
    assert third["ada_sent"] == [77.0, 82.0, 89.9, 87.2, 82.3, 85.6, 72.6, 80.0, 0.855, 83.1, 0.66, 0.62]
    first = printed("psan/table1", load_table("psan/table1").columns)
    assert first["mr"] == [10662, 2.00, 2.89, 6.03, 10.79, 7.47, 3.58]
    assert len(first) == 11


def test_our_sizes():
    found = {cell.row: model_size(cell.settings, "size/total") for cell in cells(load_table("psan/table4"), "paper")}
    assert found == {
        "first": 1_263_003, "second": 1_263_003, "third": 1_263_003, "sentences": 1_984_203, "blocks": 1_984_203,
        "no_memory": 1_893_903, "neither": 902_403, "full": 1_984_203,
    }  # fmt: skip
    widths = {cell.row: model_size(cell.settings, "size/width") for cell in cells(load_table("psan/table2"), "paper")}
    assert widths == {"bilstm_max": 4096, "disan": 600, "psan": 300, "psan_recipe": 300}
    encoders = {
        cell.row: model_size(cell.settings, "size/encoder") for cell in cells(load_table("psan/table2"), "paper")
    }
    assert encoders["bilstm_max"] == 38_502_400
    (baseline,) = cells(load_table("psan/table2"), "paper", ["bilstm_max"])
    assert model_size(baseline.settings, "size/total") == 38_502_400 + 8_653_315


def test_the_recipe_has_the_rows_of_table_4():
    printed, ours = load_table("psan/table4").rows, load_table("psan/recipe").rows
    assert [row for row in ours if row in printed] == list(printed)
    assert ours.keys() - printed.keys() == {"sentence_memory", "as_printed"}, "the rows of our own questions"
    for row, line in printed.items():
        assert [each for each in ours[row].set if each != "model.carry=false"] == list(line.set)
    gated = {cell.row: cell.shared_settings["model.carry"] for cell in cells(load_table("psan/recipe"), "paper")}
    assert [row for row, carries in gated.items() if not carries] == ["no_memory", "neither", "as_printed"]


def test_the_baselines_of_table_5_have_vectors_of_300():
    widths = {cell.row: model_size(cell.settings, "size/width") for cell in cells(load_table("psan/table5"), "paper")}
    assert set(widths.values()) == {300}


def test_disan_is_the_run_of_its_own_table():
    (own,) = cells(load_table("disan/table1"), "paper", ["disan"])
    (here,) = cells(load_table("psan/table2"), "paper", ["disan"])
    assert here.id == own.id


def judged(run, finished, used=5000, folds=10, **metrics):
    return Record(
        id=f"t{finished}{folds}", kind="transfer", status="done", parents=(run.id,), finished=finished,
        settings={"encoder": "x", "tasks": ["CR"], **flatten(Transfer(folds=folds))}, versions={"transfer": 1},
        data={"fingerprint": "g", "splits": {"CR/all": {"used": used}}, "expected": {"splits": {"CR/all": 5000}}},
        seed=1111, metrics=metrics,
    )  # fmt: skip


def test_columns_of_transfer_show_the_newest_record_of_the_rows_own_runs():
    spec = load_table("psan/table3")
    (cell,) = cells(spec, "paper", ["psan"])
    run = run_of(cell)
    other = dataclasses.replace(run, id="somebody else's")
    transfers = [
        judged(run, "2026-01-01", **{"CR/test": 70.0, "MR/test": 60.0}),
        judged(run, "2026-01-02", used=4000, **{"CR/test": 71.0}),
        judged(run, "2026-01-03", folds=5, **{"CR/test": 99.0}),  # another protocol
        judged(other, "2026-01-04", **{"CR/test": 99.0}),
    ]
    line = next(line for line in build(spec, "paper", [run, *transfers]).rows if line.name == "psan")
    shown = {name: line.our_value(column) for name, column in spec.columns.items()}
    assert (shown["cr"].mean, shown["mr"].mean, shown["trec"]) == (71.0, 60.0, None)
    assert "CR/all: 4,000 of 5,000 examples" in line.results[0].deviations
    text = render_table(build(spec, "paper", [run, *transfers]))
    assert "| 60.0 | 80.0 | 71.0 | 84.2 |" in text
    assert "99.0" not in text


def test_runs_that_are_only_listed_keep_their_figures_of_transfer():
    spec = load_table("psan/table2")
    (cell,) = cells(spec, "paper", ["psan"])
    whole = run_of(cell)
    short = dataclasses.replace(whole, id="short", settings={**whole.settings, "protocol.steps": 5})
    table = build(
        spec, "paper", [whole, short, judged(short, "2026-01-01", **{"micro/dev": 61.25, "macro/dev": 62.35})]
    )
    assert "Micro 61.2 %" in render_table(table)


def test_of_runs_that_differ_in_steps_alone_those_with_figures_of_transfer_are_shown():
    spec = load_table("psan/table3")
    (cell,) = cells(spec, "paper", ["disan"])
    run = run_of(cell)
    short, longer = (
        dataclasses.replace(
            run, id=str(steps), settings={**run.settings, "protocol.steps": steps}, curve=[{"step": steps}]
        )
        for steps in (5, 10)
    )
    transfer = judged(short, "2026-01-01", **{"CR/test": 70.0})
    line = next(line for line in build(spec, "paper", [longer, short, transfer]).rows if line.name == "disan")
    assert line.our_value(spec.columns["cr"]).mean == 70.0


def test_how_many_runs_a_column_of_transfer_shows_is_said():
    spec = load_table("psan/table3")
    (cell,) = cells(spec, "paper", ["psan"])
    first = run_of(cell)
    second = dataclasses.replace(first, id="the second", settings={**first.settings, "seed": 2})
    transfer = judged(first, "2026-01-01", **{"CR/test": 70.0})
    text = render_table(build(spec, "paper", [first, second, transfer]))
    assert "done (1 of 5 runs evaluated; 2 trained)" in text
    assert '- "done (3 of 5 runs evaluated; 5 trained)": the figures are those of the three runs' in text


def test_a_group_without_a_figure_of_transfer_is_not_among_the_other_runs():
    spec = load_table("psan/table3")
    (cell,) = cells(spec, "paper", ["psan"])
    whole = run_of(cell)
    short, shorter = (
        dataclasses.replace(whole, id=f"{steps} steps", settings={**whole.settings, "protocol.steps": steps})
        for steps in (50, 5)
    )
    records = [whole, short, shorter, *(judged(run, "2026-01-01", **{"CR/test": 70.0}) for run in (whole, short))]
    text = render_table(build(spec, "paper", records))
    assert "- PSAN: 1 run, CR 70.0 %; protocol.steps 50 instead of 400,000\n" in text
    assert "protocol.steps 5 instead" not in text


def test_differences_stand_in_the_unit_of_their_column():
    memory = load_table("psan/table5").columns["memory"]
    assert format_difference(-308_000_000.0, memory) == "-308.0"


def test_memory_is_that_of_the_newest_benchmark_with_or_without_runs():
    def measured(finished, status, size):
        rows = [
            {"case": f"20 words, {kind}", "variant": f"{name}, {way}", "unit": "MiB", "values": [1.0, size, 99.0]}
            for kind in ("peak", "saved") for way in ("eager", "fast") for name in ("PSAN", "DiSAN")
        ]  # fmt: skip
        return Record(
            id=finished, kind="bench", status=status, settings={"benchmark": "encoder_memory"}, versions={},
            data={}, seed=1, curve=rows, finished=finished,
        )  # fmt: skip

    spec = load_table("psan/table5")
    records = [measured("2026-02", "done", 3.0), measured("2026-01", "done", 2.0), measured("2026-03", "failed", 4.0)]
    lines = {line.name: line for line in build(spec, "paper", records).rows}
    for name in ("memory", "saved", "fast", "fast_saved"):
        column = spec.columns[name]
        assert lines["psan"].our_value(column).mean == lines["disan"].our_value(column).mean == 3 * 2**20
        assert lines["multi_head"].our_value(column) is None


def test_without_transfer_nothing_is_shown_and_nothing_is_said_of_it():
    spec = load_table("psan/table3")
    (cell,) = cells(spec, "paper", ["psan"])
    line = next(line for line in build(spec, "paper", [run_of(cell)]).rows if line.name == "psan")
    assert line.our_value(spec.columns["cr"]) is None
    assert line.results[0].status == "done"
    assert line.results[0].deviations == ()


def test_phrases_are_averaged_over_the_sentences_of_all_splits():
    (cell,) = cells(load_table("psan/table1"), "paper", ["trec"])
    run = run_of(cell)
    for split, divided in PHRASES_PREFIX.items():
        run.data["splits"].setdefault(split, {"labelled": 1})["divided"] = divided
    assert metric_value(run, "divided/phrases/2") == pytest.approx(30 / 10)
    assert metric_value(run, "divided/words/3") == pytest.approx(80 / 40)
    assert metric_value(run_of(cell), "divided/words/3") is None
    assert metric_value(run_of(cell), "data/total") == 5952


def test_models_with_and_without_a_parsers_trees_are_compared_on_the_same_words():
    spec = load_table("psan/table5")
    first, second = (run_of(cell, **{"test/accuracy": 80.0}) for cell in cells(spec, "paper", ["psan", "disan"]))
    parsed = {**first.data, "fingerprint": "with trees", "fingerprint_of_words": "f"}
    found = {
        name: comparison_results(build(spec, "paper", [dataclasses.replace(first, data=data), second]))[-1].reason
        for name, data in {"same": parsed, "other": {**parsed, "fingerprint_of_words": "g"}}.items()
    }
    assert found == {"same": "", "other": "not comparable: other data"}
