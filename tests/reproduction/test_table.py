"""Tables from made-up records: matching, averaging, deviations, and what must never be mixed."""

import dataclasses

import pytest
from made_up import SPEC, data, record, run_of

from attest.config.compose import compose
from attest.config.settings import Settings
from attest.reproduction.pages.csv_latex import render_csv, render_latex
from attest.reproduction.pages.markdown import render_table
from attest.reproduction.pages.readme import render_summary
from attest.reproduction.pages.terminal import render_runs
from attest.reproduction.specs.table import load
from attest.reproduction.tables.budget import budget_values
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.groups import groups
from attest.reproduction.tables.matching import INDEX_KEYS
from attest.runs.identity import run_id


@pytest.fixture(scope="module", autouse=True)
def compose_cells_once():
    """Tables are built often here, and Hydra takes a second for all their cells."""
    with pytest.MonkeyPatch.context() as patch:
        known = {scale: cells(SPEC, scale) for scale in ("mini", "paper")}
        patch.setattr("attest.reproduction.tables.build.cells", lambda spec, scale: known[scale])
        yield


def line(records, row="disan", scale="paper"):
    return next(line for line in build(SPEC, scale, records).lines if line.name == row)


def shown(records, row="disan", scale="paper"):
    """All columns of this table show the same runs."""
    (only,) = line(records, row, scale).panels
    return only


def ours(found, column="test"):
    return found.ours(SPEC.columns[column])


def test_replicates_are_averaged_within_their_row_alone():
    found = shown(
        [record("disan", f"seed={seed}", test=85.0 + seed) for seed in (1, 2, 3)] + [record("s2t", test=10.0)]
    )
    assert (ours(found).mean, ours(found).sd, found.replicates) == (87.0, 1.0, "3 of 5 runs")
    assert shown([record("no_directions")]).status == "not run"


def test_scales_never_mix():
    mini = record("disan", scale="mini")
    assert shown([mini]).status == "not run"
    assert shown([mini], scale="mini").status == "done"
    text = render_table(build(SPEC, "mini", [mini]))
    assert "says nothing about the paper" in text
    assert "85.62" not in text
    assert "Bowman" not in text


def test_less_data_and_shorter_budgets_are_deviations():
    part = data(train=112_285, vectors=7580, fingerprint="part", with_parse=False)
    found = shown([record("disan", "protocol.steps=200", "protocol.evaluate_every=50", data=part)])
    assert found.group.deviations == (
        "train: 112,285 of 549,367 labelled examples (20.4%)",
        "no parses: all sentences tokenised by treebank rules",
        "vectors of 7,580 of 400,000 words, which are 90.0% of the words of the training text",
        "protocol.evaluate_every 50 instead of every epoch",
        "protocol.steps 200 instead of 400,000",
    )
    text = render_table(build(SPEC, "paper", [record("disan", "protocol.steps=200", data=part)]))
    assert "[1]" in text
    assert "- [1]\n  - train: 112,285 of 549,367" in text


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
    assert shown([*many, *five]).replicates == "5 of 5 runs", "more replicates than the table asks for gain nothing"
    assert shown(many).replicates == "7 runs, 5 asked for"


def test_published_runs_are_shown_before_others():
    published, local = record("disan", "protocol.steps=200", test=60.0), [record("disan", f"seed={s}") for s in (1, 2)]
    table = build(SPEC, "paper", [published, *local], published=[published.id])
    (found,) = next(line for line in table.lines if line.name == "disan").panels
    assert found.group.records == (published,)
    assert "Test 85.00 ± 0.00 %; fewer deviations than the runs shown" in render_table(table)
    assert "also        2 runs, Test 85.00" in render_runs(table, "disan")


def test_runs_longer_than_asked_for_come_last():
    asked, longer = record("disan"), [record("disan", f"seed={s}", "protocol.steps=500000") for s in (1, 2)]
    assert shown([*longer, asked]).group.records == (asked,)
    assert not shown(longer).reduced


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


def test_of_budgets_that_deviate_alike_the_longer_is_shown():
    short, long = (record("disan", f"protocol.steps={steps}", test=80.0) for steps in (200, 900))
    group = shown([short, long]).group
    assert group is not None
    assert group.records[0].settings["protocol.steps"] == 900


def test_records_of_older_code_do_not_count():
    old = record("disan")
    assert shown([dataclasses.replace(old, versions={**old.versions, "model": 0})]).status == "not run"


def test_a_search_shows_what_dev_chose():
    records = [record("multi_head", f"dropout={p}", dev=80 - p, test=70 + p) for p in (0.3, 0.2, 0.1)]
    found = shown(records, "multi_head")
    assert found.cell.variant == "dropout=0.1"
    assert ours(found).mean == pytest.approx(70.1)  # not the best on test
    assert found.replicates == "1 of 5 runs, 3 of 5 settings"
    assert sorted(variant for variant, _ in found.other_groups) == ["dropout=0.2", "dropout=0.3"]


def test_a_setting_with_fewer_runs_is_not_selected():
    finished = [record("multi_head", "dropout=0.3", f"seed={seed}", dev=70.0) for seed in (1, 2)]
    quick = record("multi_head", "dropout=0.2", dev=90.0)
    assert shown([*finished, quick], "multi_head").cell.variant == "dropout=0.3"
    text = render_table(build(SPEC, "paper", [*finished, quick]))
    assert "dropout=0.3 is shown, the only one of 5 settings with as many runs, so nothing is selected yet" in text
    second = record("multi_head", "dropout=0.2", "seed=2", dev=90.0)
    assert shown([*finished, quick, second], "multi_head").cell.variant == "dropout=0.2"


def test_where_one_setting_has_run_nothing_is_chosen():
    one, two = record("multi_head", "dropout=0.3"), record("multi_head", "dropout=0.2", dev=1.0)
    assert "dropout=0.3 is shown, the only one of 5 settings that has run" in render_table(build(SPEC, "paper", [one]))
    assert "dropout=0.3 is shown, selected by dev/accuracy" in render_table(build(SPEC, "paper", [one, two]))


def test_the_readme_says_nothing_of_a_finding_that_there_is_not():
    """Of a row that the paper does not have."""
    text = render_summary(build(SPEC, "paper", [record("fast_disan", test=61.0)]))
    assert "|  | 61.00 (1 of 5 runs) |" in text


def test_the_best_of_several_runs_is_compared_with_our_best_of_as_many():
    """The paper's 84.17 is the best of five settings. Ours: 84.1 and 84.2 for two seeds, at settings that dev did not
    choose."""
    tests = {0.3: (80.0, 84.2), 0.25: (84.1, 80.0), 0.2: (80.0, 80.0), 0.15: (80.0, 80.0), 0.1: (80.0, 80.0)}
    records = [
        record("multi_head", f"dropout={p}", f"seed={seed}", dev=80.0 - p, test=values[seed - 1])
        for p, values in tests.items()
        for seed in (1, 2)
    ]
    found = line(records, "multi_head")
    column = SPEC.columns["test"]
    assert found.ours(column).values == (80.0, 80.0)
    assert found.best("test", column).values == (84.1, 84.2)
    assert found.finding("test", column) == "undecided"  # the interval of two bests is wide
    third = [record("multi_head", f"dropout={p}", "seed=3", dev=80.0 - p, test=84.15) for p in tests]
    assert line([*records, *third], "multi_head").finding("test", column) == "within"
    some = [made for made in records if made.settings["model.dropout"] != 0.3]
    assert line(some, "multi_head").best("test", column) is None
    assert line(some, "multi_head").finding("test", column) == "undecided"
    assert "compared with our best of as many" in render_table(build(SPEC, "paper", records))


def test_a_search_compares_like_with_like():
    part = data(train=112_285, fingerprint="part")
    records = [record("multi_head", "dropout=0.3", dev=10.0), record("multi_head", "dropout=0.1", dev=90.0, data=part)]
    assert shown(records, "multi_head").cell.variant == "dropout=0.3"


def test_failures_are_shown():
    failed = record("disan", status="failed", error="Traceback ...\nValueError: broken", metrics={})
    found = shown([failed])
    assert found.status == "failed"
    text = render_runs(build(SPEC, "paper", [failed]), "disan")
    assert "ValueError: broken\n    to repeat it  attest train experiment=disan/snli" in text
    assert "seed=1 retry_failed=true\n" in text


def test_findings_need_several_runs():
    one, three = [record("disan", test=60.0)], [record("disan", f"seed={s}", test=60.0 + s / 10) for s in (1, 2, 3)]
    assert line(one).finding("test", SPEC.columns["test"]) == "undecided"
    assert line(three).finding("test", SPEC.columns["test"]) == "below"
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
    assert line(runs).finding("test", SPEC.columns["test"]) == word
    table = build(SPEC, "paper", runs)
    assert f"| Test: {word} | done" in render_table(table)
    assert '"at reduced budget": our runs had less data' in render_table(table)
    assert "- Margins: Test (%) ± 0.5." in render_table(table)
    assert f"60.20 ± 0.10 (3 of 5 runs; {word})" in render_summary(table)
    assert f"   {word}" in render_runs(table, "disan")
    assert f"Test: {word}" in render_csv(table)
    assert f"Test: {word}" in render_latex(table)


def test_an_experiment_with_less_than_the_papers_is_marked_too():
    """Figure 5 of SSA is made of 20,000 pairs on purpose, and all their steps."""
    hops = load("ssa/hops")
    cell = next(cell for cell in cells(hops, "paper", ["hops_5"]) if cell.panel.name == "snli")
    (group,) = groups(cell, [run_of(cell, **{"test/accuracy": 60.0})])
    assert group.reduced
    assert group.deviations == (
        "protocol.examples 20,000 instead of 549,367 (the paper's experiment)",
        "protocol.steps 1,600 instead of 43,949 (the paper's experiment)",
    )


@pytest.mark.parametrize(
    ("epoch", "text"), [(2.993, "3.0 epochs (10,500 steps)"), (20.1, "protocol.epochs 20")], ids=["steps", "epochs"]
)
def test_the_budget_of_a_run_is_the_limit_that_ends_it(epoch, text):
    cell = next(cell for cell in cells(load("dam/recipe"), "paper", ["bow"]) if cell.panel.name == "snli_dev")
    run = dataclasses.replace(run_of(cell), curve=({"step": 10_500, "epoch": epoch},))
    (group,) = groups(cell, [run])
    assert group.reduced
    assert f"{text} instead of 100 (the paper's experiment)" in group.deviations


def test_other_deviations_are_no_reduced_budget():
    runs = [record("disan", f"seed={s}", "trainer.precision=bf16", test=60.0 + s / 10) for s in (1, 2, 3)]
    assert line(runs).finding("test", SPEC.columns["test"]) == "below"


def test_markdown_prints_both_figures():
    text = render_table(build(SPEC, "paper", [record("disan", f"seed={s}", test=85.0 + s) for s in (1, 2, 3)]))
    row = next(text for text in text.splitlines() if text.startswith("| Directional"))
    assert [cell.strip() for cell in row.strip("|").split(" | ")] == [
        "Directional self-attention network (DiSAN)",
        "2.35",
        "2.35",
        "600 ± 0",
        "587",
        "90.00 ± 0.00",
        "91.08",
        "87.00 ± 1.00",
        "85.62",
        "–",
        "",
        "Test: undecided",
        "done (3 of 5 runs)",
    ]
    assert "| 300D NSE encoders (Munkhdalai and Yu 2017a) |" in text


def test_other_formats_hold_the_same():
    table = build(SPEC, "paper", [record("disan", "protocol.steps=200")])
    rows = render_csv(table).splitlines()
    assert rows[0].startswith("Model,")
    assert rows[-2].endswith('protocol.steps 200 instead of 400,000"')
    assert r"DiSAN} \\" not in render_latex(table)
    assert r"Test (\%), paper" in render_latex(table)
    assert "% Directional self-attention network (DiSAN): protocol.steps 200" in render_latex(table)
    assert render_latex(table).count(r"\\") == len(table.lines) + 1


def test_the_summary_for_the_readme():
    text = render_summary(build(SPEC, "paper", [record("disan")]))
    assert "| Directional self-attention network (DiSAN) | 85.62 | 85.00 (1 of 5 runs; undecided) |" in text
    assert "| Word embedding with s2t self-attention | 83.12 | not run |" in text


def test_show_prints_the_command_that_makes_a_run_again():
    made = record("no_directions", "seed=3", "protocol.steps=200")
    text = render_runs(build(SPEC, "paper", [made]), "no_directions")
    command = next(line for line in text.splitlines() if made.id in line).partition("attest train ")[2]
    assert run_id(compose(command.split()), "full") == made.id
    assert "to run it   attest reproduce disan/table1 scale=paper rows=s2t" in render_runs(
        build(SPEC, "paper", []), "s2t"
    )


def test_groups_sort_replicates_by_seed():
    cell = cells(SPEC, "paper", ["disan"])[0]
    (group,) = groups(cell, [record("disan", f"seed={seed}") for seed in (3, 0, 2)])
    assert [r.seed for r in group.records] == [0, 2, 3]


def test_show_says_what_other_runs_reached_on_the_dev_set():
    whole, short = record("disan"), record("disan", "protocol.steps=200", dev=71.234)
    text = render_runs(build(SPEC, "paper", [whole, short]), "disan")
    assert f"run {short.id}  seed=1  dev 71.23" in text


def test_records_are_indexed_by_what_no_budget_changes():
    """Else a run of another budget would never be compared with its cell."""
    assert not set(INDEX_KEYS) & budget_values(Settings).keys()


def test_two_records_of_one_seed_count_once_and_are_shown():
    """lr=1 and 1.0 once had two ids: counted as two runs, their interval is far too narrow."""
    records = [record("disan", f"seed={seed}", test=80.0 + seed, finished="2026-01-01") for seed in (1, 2)]
    later = dataclasses.replace(records[0], id="f" * 12, finished="2026-01-02", metrics={"test/accuracy": 99.0})
    found = shown([later, *records])
    assert (ours(found).values, found.replicates) == ((81.0, 82.0), "2 of 5 runs")
    assert found.group.repeats == (later,)
    (group,) = groups(found.cell, [later, dataclasses.replace(records[0], environment={"uncommitted_changes": True})])
    assert group.records == (later,)
    table = build(SPEC, "paper", [later, *records])
    assert "repeated    ffffffffffff seed=1: a second record, not counted" in render_runs(table, "disan")
    assert "1 further record repeats a seed and is not counted; `attest show disan/table1` lists" in render_table(table)


def test_a_run_that_changed_devices_is_noted():
    """Old records do not say on which devices they were trained."""
    uses = (
        {"name": "A|B", "precision": "fp32", "from_step": 0},
        {"name": "GPU", "precision": "fp32", "from_step": 300},
    )
    records = [record("disan", "seed=1", devices=uses), record("disan", "seed=2", devices=uses[:1]), record("s2t")]
    table = build(SPEC, "paper", records)
    note = f"{records[0].id} was trained on A\\|B (fp32), from step 301 on GPU (fp32); devices differ in rounding."
    assert render_table(table).count(note) == render_table(table).count("was trained on") == 1
    assert render_table(table) != render_table(
        build(SPEC, "paper", [dataclasses.replace(records[0], devices=()), *records[1:]])
    )


def test_the_summary_names_the_rows_of_a_deviation_that_others_lack():
    runs = [record("disan", "protocol.steps=200"), record("s2t", "protocol.steps=300")]
    text = render_summary(build(SPEC, "paper", runs))
    assert "- Directional self-attention network (DiSAN): protocol.steps 200 instead of 400,000\n" in text
    assert "- Word embedding with s2t self-attention: protocol.steps 300 instead of 400,000\n" in text
    runs = [record("disan", "protocol.steps=200"), record("s2t", "protocol.steps=200")]
    assert "\n- protocol.steps 200 instead of 400,000\n" in render_summary(build(SPEC, "paper", runs))
