"""Runs with less data or a shorter budget than the paper's, and what their findings say; made-up records."""

import dataclasses

import pytest
from made_up import SPEC, data, finished_run, line, record, run_of, shown

from attest.config.compose import compose
from attest.reproduction.pages.csv_latex import render_csv, render_latex
from attest.reproduction.pages.readme_summary import render_summary
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.pages.terminal.table_runs import render_runs
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.data_deviations import format_coverage
from attest.reproduction.tables.finding import Finding
from attest.reproduction.tables.run_groups import run_groups, same_data
from attest.reproduction.tables.setting_deviations import format_deviation


def test_less_data_and_shorter_budgets_are_deviations():
    part = data(train=112_285, vectors=7580, fingerprint="part", with_parse=False)
    found = shown([record("disan", "protocol.steps=200", "protocol.evaluate_every=50", data=part)])
    assert found.group.deviations == (
        "train: 112,285 of 549,367 labelled examples (20.4%)",
        "no parses: all sentences tokenised by treebank rules",
        "word vectors for 7,580 of the file's 400,000 words: they cover 5,000 of the 20,000 different words of the "
        "training text, and 90.0% of its tokens",
        "protocol.evaluate_every 50 instead of every epoch",
        "protocol.steps 200 instead of 400,000",
    )
    text = render_table(build(SPEC, "paper", [record("disan", "protocol.steps=200", data=part)]))
    assert "[1]" in text
    assert "- [1]\n  - train: 112,285 of 549,367" in text


@pytest.mark.parametrize(
    ("share", "is_whole", "text"),
    [(0.947, False, "94.7%"), (0.9996, False, "over 99.9%"), (1.0, False, "over 99.9%"), (1.0, True, "100.0%")],
)
def test_no_coverage_is_complete_while_a_word_lacks_a_vector(share, is_whole, text):
    assert format_coverage(share, is_whole=is_whole) == text


@pytest.mark.parametrize(
    ("key", "actual", "wanted", "text"),
    [
        ("protocol.steps", 10_500, None, "at most 10,500 steps (protocol.steps), where the table has no limit"),
        (
            "text.token_limit",
            400,
            None,
            "at most 400 words a sentence (text.token_limit), where the table has no limit",
        ),
        ("protocol.epochs", None, 20, "no limit of epochs (protocol.epochs) instead of 20"),
        ("protocol.steps", 200, 400_000, "protocol.steps 200 instead of 400,000"),
        ("protocol.evaluate_every", None, 50, "protocol.evaluate_every every epoch instead of 50"),
        ("vectors.file", "a.txt", None, "vectors.file a.txt instead of null"),
    ],
)
def test_a_deviation_in_words(key, actual, wanted, text):
    assert format_deviation(key, actual, wanted) == text


def test_counts_deviate_only_in_what_can_change_them():
    """Word vectors, the number format and the steps change no count; missing examples do."""
    spec = load_table("dam/table1")
    cell = next(cell for cell in cells(spec, "paper") if cell.row == "stsb")
    run = finished_run(compose([*cell.overrides, "scale=paper", "trainer.precision=bf16"]))
    run.data["vectors"]["rows"] = 9
    run.data["splits"]["train"]["labelled"] = 5000
    (result,) = next(line for line in build(spec, "paper", [run]).rows if line.name == "stsb").results
    assert result.group is not None
    assert "trainer.precision bf16 instead of fp32" in result.group.deviations
    assert result.deviations == ("train: 5,000 of 5,749 labelled examples (87.0%)",)


def test_an_experiment_with_less_than_the_papers_is_marked_too():
    """Figure 5 of SSA is made of 20,000 pairs on purpose, and all their steps."""
    hops = load_table("ssa/hops")
    cell = next(cell for cell in cells(hops, "paper", ["hops_5"]) if cell.panel.name == "snli")
    (group,) = run_groups(cell, [run_of(cell, **{"test/accuracy": 60.0})])
    assert group.reduced
    assert group.deviations == (
        "protocol.examples 20,000 instead of 549,367 (our experiment for the paper's table)",
        "protocol.steps 1,600 instead of 43,949 (our experiment for the paper's table)",
    )


@pytest.mark.parametrize(
    ("epoch", "text"), [(2.993, "3.0 epochs (10,500 steps)"), (20.1, "protocol.epochs 20")], ids=["steps", "epochs"]
)
def test_the_budget_of_a_run_is_the_limit_that_ends_it(epoch, text):
    cell = next(cell for cell in cells(load_table("dam/recipe"), "paper", ["bow"]) if cell.panel.name == "snli_dev")
    run = dataclasses.replace(run_of(cell), curve=({"step": 10_500, "epoch": epoch},))
    (group,) = run_groups(cell, [run])
    assert group.reduced
    assert f"{text} instead of 100 (our experiment for the paper's table)" in group.deviations


@pytest.mark.parametrize(
    ("overrides", "curve", "text"),
    [
        (["protocol.epochs=2"], ({"step": 100, "epoch": 0.5},), "protocol.epochs 2.0 (400 steps)"),
        (["protocol.epochs=2"], (), "protocol.epochs 2.0"),
        (["protocol.epochs=2", "protocol.steps=null"], (), "protocol.epochs 2.0"),
    ],
)
def test_a_limit_of_epochs_stands_beside_the_limit_of_steps_of_the_table(overrides, curve, text):
    group = shown([record("disan", *overrides, curve=curve)]).group
    lengths = [deviation for deviation in group.deviations if "protocol" in deviation]
    assert lengths == [f"{text} instead of 400,000 steps"]
    assert group.reduced


def test_the_steps_of_an_epoch_do_not_decide_whether_groups_may_be_compared():
    epochs, half = (
        shown([record("disan", "protocol.epochs=2", curve=({"step": 100, "epoch": epoch},))]).group
        for epoch in (1.0, 0.5)
    )
    assert epochs.deviations != half.deviations
    assert same_data(epochs, half)


def test_findings_need_several_runs():
    one, three = [record("disan", test=60.0)], [record("disan", f"seed={s}", test=60.0 + s / 10) for s in (1, 2, 3)]
    assert line(one).finding("test", SPEC.columns["test"]) == Finding("undecided")
    assert line(three).finding("test", SPEC.columns["test"]) == Finding("below")
    assert line(three).finding("train", SPEC.columns["train"]) is None  # no margin was declared


@pytest.mark.parametrize(
    ("overrides", "facts"),
    [
        (["protocol.steps=200"], data()),
        (["protocol.epochs=1"], data()),
        ([], data(train=112_285, fingerprint="part")),
        ([], data(vectors=7580)),
    ],
)
def test_a_finding_at_a_reduced_budget_says_so_everywhere(overrides, facts):
    runs = [record("disan", f"seed={s}", *overrides, test=60.0 + s / 10, data=facts) for s in (1, 2, 3)]
    word = "below, at reduced budget"
    assert line(runs).finding("test", SPEC.columns["test"]) == Finding("below", reduced=True)
    table = build(SPEC, "paper", runs)
    assert f"| Test: {word} | done" in render_table(table)
    assert '"at reduced budget": our runs had less data' in render_table(table)
    assert "- Margins: Test (%) ± 0.5." in render_table(table)
    assert f"| 60.20\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.10 | 85.62 | {word} | 3 of 5 runs |" in render_summary(table)
    assert f"   {word}" in render_runs(table, "disan")
    assert f"Test: {word}" in render_csv(table)
    assert f"Test: {word}" in render_latex(table)


def test_other_deviations_are_no_reduced_budget():
    runs = [record("disan", f"seed={s}", "trainer.precision=bf16", test=60.0 + s / 10) for s in (1, 2, 3)]
    assert line(runs).finding("test", SPEC.columns["test"]) == Finding("below")


def test_the_summary_names_the_rows_of_a_deviation_that_others_lack():
    runs = [record("disan", "protocol.steps=200"), record("s2t", "protocol.steps=300")]
    text = render_summary(build(SPEC, "paper", runs))
    assert "- Directional self-attention network (DiSAN): protocol.steps 200 instead of 400,000\n" in text
    assert "- Word embedding with s2t self-attention: protocol.steps 300 instead of 400,000\n" in text
    runs = [record("disan", "protocol.steps=200"), record("s2t", "protocol.steps=200")]
    assert "\n- protocol.steps 200 instead of 400,000\n" in render_summary(build(SPEC, "paper", runs))
