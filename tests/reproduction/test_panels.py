"""Tables whose columns are data sets, with folds in one and seeds in the other."""

import dataclasses

import pytest

from attest.config.compose import compose
from attest.config.flat import flatten
from attest.config.paths import home, tracked_results
from attest.errors import SettingsError
from attest.reproduction.load import records_in
from attest.reproduction.pages.csv_latex import render_csv, render_latex
from attest.reproduction.pages.readme_summary import render_summary
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.pages.terminal import parameters
from attest.reproduction.pages.terminal.table_runs import render_runs
from attest.reproduction.publish import copy_table_records
from attest.reproduction.specs.table import read_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells, check_same_experiment, jobs
from attest.reproduction.tables.finding import Finding
from attest.runs.identity import code_versions, run_id
from attest.runs.records import Record
from attest.runs.store import Store
from hydra_plugins.attest_sweepers import _inputs, _launching
from hydra_plugins.attest_sweepers.table import TableSweeper

TEXT = """
title: Two sets
reference: Nobody 2026
source: Table 9, page 1
base: [experiment=disan/snli]
replicates: {axis: fold, n: 10, mini: 2}
columns:
  cr: {title: CR, metric: test/accuracy, unit: "%", margin: 1.0, set: [dataset=cr]}
  trec: {title: TREC, metric: test/accuracy, unit: "%", margin: 1.0, set: [dataset=trec],
         replicates: {axis: seed, n: 5}}
  training: {title: CR train, metric: train/accuracy, unit: "%", set: [dataset=cr]}
rows:
  quoted: {title: Quoted, cited: Somebody 2000, paper: {cr: {value: 70}, trec: {value: null, reason: not reported}}}
  s2t:
    title: Ours
    set: [model=s2t]
    paper: {cr: {value: 84.8, of: mean, sd: 2.0}, trec: {value: 94.2, of: mean, sd: 0.1}}
"""


@pytest.fixture(scope="module")
def spec(tmp_path_factory):
    path = tmp_path_factory.mktemp("spec") / "two.yaml"
    path.write_text(TEXT)
    return read_table(path, "two")


@pytest.fixture(scope="module")
def known(spec):
    return {scale: cells(spec, scale) for scale in ("mini", "paper")}


@pytest.fixture
def table(spec):
    """The table of some records."""
    return lambda *records, scale="paper": build(spec, scale, records)


POOL = {"all": {"labelled": 3775, "rows": 3775, "with_parse": 3775}}


def record(spec, dataset, *overrides, accuracy=85.0, splits=POOL, scale="paper", **changes):
    settings = compose([*spec.base, f"dataset={dataset}", "model=s2t", f"scale={scale}", *overrides])
    facts = {
        "fingerprint": dataset,
        "splits": splits,
        "vectors": {"rows": 400_000, "tokens_found": dict.fromkeys(splits, 0.9)},
        "expected": {"splits": dict(settings.dataset.expected), "vectors": 400_000},
    }
    made = Record(
        id=run_id(settings, dataset),
        status="done",
        settings=flatten(settings),
        versions=code_versions(settings),
        seed=settings.seed,
        data=facts,
        metrics={"test/accuracy": accuracy, "train/accuracy": 99.0},
    )
    return dataclasses.replace(made, **changes)


def folds(spec, *numbers, **changes):
    return [record(spec, "cr", f"protocol.fold={fold}", accuracy=80.0 + fold, **changes) for fold in numbers]


def test_columns_that_set_the_same_share_runs(spec):
    found = spec.panels("paper")
    assert [(panel.name, list(panel.columns), panel.replicates.axis) for panel in found] == [
        ("cr", ["cr", "training"], "fold"),
        ("trec", ["trec"], "seed"),
    ]


def test_columns_that_share_runs_share_replicates(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(TEXT.replace('"%", set: [dataset=cr]', '"%", set: [dataset=cr], replicates: {axis: seed, n: 2}'))
    with pytest.raises(SettingsError, match=r"two.yaml:\d+: columns.training.replicates: not those of cr"):
        read_table(path, "two")


def test_an_experiment_is_a_row_in_some_columns(known):
    first, second = known["paper"]
    assert (first.row, first.panel.name, first.settings.dataset.name) == ("s2t", "cr", "cr")
    assert (first.settings.protocol.fold, second.settings.protocol.fold) == (0, None)
    assert first.id != second.id
    assert "protocol.fold" not in first.shared_settings
    assert "seed" in first.shared_settings
    assert "seed" not in second.shared_settings


def test_all_first_replicates_run_before_the_second(known):
    made = jobs(known["mini"], "mini", None)
    assert list(made) == ["s2t cr protocol.fold=0", "s2t trec seed=1", "s2t cr protocol.fold=1"]
    assert made["s2t cr protocol.fold=1"][-1] == "protocol.fold=1"
    assert "dataset=cr" in made["s2t cr protocol.fold=1"]
    assert len(jobs(known["paper"], "paper", None)) == 10 + 5


def test_seeds_limits_folds_too(known):
    assert list(jobs(known["paper"], "paper", "1")) == ["s2t cr protocol.fold=0", "s2t trec seed=1"]
    assert len(jobs(known["paper"], "paper", "12")) == 10 + 12  # more seeds than the table asks for, never more folds
    assert list(jobs(known["paper"], "paper", "[4]")) == ["s2t cr protocol.fold=4", "s2t trec seed=4"]
    with pytest.raises(SettingsError, match="there is no fold 10; there are 0 to 9"):
        jobs(known["paper"], "paper", "0,10")


def test_the_sweeper_starts_each_panels_replicates(spec, monkeypatch):
    monkeypatch.setattr("attest.reproduction.specs.table.load_table", lambda name: spec)
    monkeypatch.setattr(_launching, "launch_all", lambda launcher, jobs, title: jobs)
    monkeypatch.setattr(_inputs, "missing_inputs", lambda inputs: {})
    monkeypatch.setattr(_inputs, "provide_data", lambda settings: None)
    sweeper = TableSweeper("two", ["s2t"], None)
    sweeper.launcher = object()
    made = sweeper.sweep(["protocol.steps=3"])
    assert list(made) == ["s2t cr protocol.fold=0", "s2t trec seed=1", "s2t cr protocol.fold=1"]
    assert made["s2t trec seed=1"][-3:] == ["seed=1", "scale=mini", "protocol.steps=3"]


def test_no_column_may_be_changed_into_another(spec):
    check_same_experiment(spec, cells(spec, "paper"), ["protocol.steps=5"])
    for other in ("protocol.fold=1", "seed=2"):
        with pytest.raises(SettingsError, match="changing it makes other experiments"):
            check_same_experiment(spec, cells(spec, "paper"), [other])


def test_each_column_shows_its_own_runs(spec, table):
    (line,) = (line for line in table(*folds(spec, 2, 0, 1), record(spec, "trec", accuracy=94.0)).rows if line.results)
    columns = spec.columns
    assert line.our_value(columns["cr"]).values == (80.0, 81.0, 82.0)
    assert line.our_value(columns["trec"]).values == (94.0,)
    assert line.our_value(columns["training"]).mean == 99.0
    findings = [line.finding(name, columns[name]) for name in ("cr", "trec")]
    assert findings == [Finding("below"), Finding("undecided")]
    assert [part.replicates_text for part in line.results] == ["3 of 10 folds", "1 of 5 runs"]


def test_other_seeds_and_runs_without_a_fold_do_not_count(spec, table):
    made = table(record(spec, "cr"), record(spec, "cr", "protocol.fold=0", "seed=2"))
    assert [part.status for part in made.rows[1].results] == ["not run", "not run"]


def test_failures_stand_in_their_own_columns(spec, table):
    failed = folds(spec, 3, status="failed", reason="ValueError: broken", metrics={})
    made = table(*failed)
    assert [part.status for part in made.rows[1].results] == ["failed", "not run"]
    assert "protocol.fold=3: ValueError: broken" in render_runs(made)


def test_status_and_deviations_are_said_once_or_by_column(spec, table):
    assert render_table(table()).count("| not run |") == 1
    trec = {"train": {"labelled": 5452, "rows": 5452, "with_parse": 5452}}  # its test set was not read
    made = table(*folds(spec, 0, 1), record(spec, "trec", "protocol.steps=200", splits=trec))
    text = render_table(made)
    assert "| CR: done (2 of 10 folds); TREC: done (1 of 5 runs) [1] |" in text
    assert "- [1] protocol.steps 200 instead of 400,000" in text
    assert "| Quoted (Somebody 2000) |  | 70 |  | not reported |  |" in text
    assert "84.8\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}2.0 |" in text
    assert "± is the standard deviation over folds or runs. A figure without it is" in text
    assert render_csv(made).splitlines()[-1].endswith(',"TREC: protocol.steps 200 instead of 400,000"')
    assert "% Ours: TREC: protocol.steps 200" in render_latex(made)
    assert "Our runs deviate from the paper in:\n\n- TREC: protocol.steps 200 instead of 400,000\n" in render_summary(
        made
    )
    assert (
        "| CR (%) | 80.50\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.71 | 84.8\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}2.0 |"
        in (render_summary(made))
    )
    assert "| undecided | 2 of 10 folds |" in render_summary(made)


def test_a_wide_table_has_a_line_for_each_group_of_columns_with_the_same_status(spec):
    extra = {f"mr{n}": dataclasses.replace(spec.columns["trec"], title=f"MR {n}", set=(f"seed={n}",)) for n in (7, 8)}
    wide = dataclasses.replace(spec, columns={**spec.columns, **extra})
    text = render_table(build(wide, "paper", folds(spec, 0, 1, splits={"all": {**POOL["all"], "labelled": 3000}})))
    assert "\n| Model | Columns | Finding | Status |\n" in text
    assert "\n| Ours | CR | CR: undecided, at reduced budget | done (2 of 10 folds) [1] |\n" in text
    assert "\n| Ours | TREC; MR 7; MR 8 |  | not run |\n" in text
    assert "\n| Ours [1] | 80.50" in text


def test_figures_of_a_wide_table_whose_deviations_differ_have_a_number_each(spec):
    extra = {f"mr{n}": dataclasses.replace(spec.columns["trec"], title=f"MR {n}", set=(f"seed={n}",)) for n in (7, 8)}
    wide = dataclasses.replace(spec, columns={**spec.columns, **extra})
    runs = [
        *folds(spec, 0, splits={"all": {**POOL["all"], "labelled": 3000}}),
        record(spec, "trec", "protocol.steps=9"),
    ]
    text = render_table(build(wide, "paper", runs))
    assert "\n| Ours | 80.00 [1] | " in text
    assert " | 85.00 [2] | " in text


def test_a_smaller_pool_is_a_deviation_and_the_fuller_one_is_shown(spec, table):
    smaller = {"all": {"labelled": 3000, "rows": 3000, "with_parse": 3000}}
    part = table(*folds(spec, 0, 1, splits=smaller)).rows[1].results[0]
    assert part.deviations == ("all: 3,000 of 3,775 labelled examples (79.5%)",)
    others = [record(spec, "cr", f"protocol.fold={fold}", "protocol.steps=200") for fold in (0, 1)]
    (shown, _) = table(*folds(spec, 0, 1, splits=smaller), *others).rows[1].results
    assert shown.group.records == tuple(others)


def test_show_prints_the_commands_of_all_columns(spec, table):
    made = [*folds(spec, 4), record(spec, "trec", "seed=3", "protocol.steps=200")]
    text = render_runs(table(*made))
    for one in made:
        (command,) = (line.partition("attest train ")[2] for line in text.splitlines() if f"run {one.id}" in line)
        assert run_id(compose(command.split()), one.fingerprint) == one.id
    assert "to run it" not in text
    assert text.index("  CR\n") < text.index(made[0].id) < text.index("  TREC\n") < text.index(made[1].id)
    assert "attest reproduce two scale=paper rows=s2t" in render_runs(table(*made[:1]))


def test_publishing_copies_the_runs_of_all_columns(spec, table):
    local = home() / "results/local"
    for made in (*folds(spec, 0, 1), record(spec, "trec"), record(spec, "subj", "protocol.fold=0")):
        Store(local / "records").put(made)
    assert len(copy_table_records(table(*records_in([local])), local, tracked_results())) == 3


def test_parameters_by_columns(spec, monkeypatch):
    monkeypatch.setattr(parameters, "load_table", lambda name: spec)
    lines = parameters.describe_table("two").splitlines()[2:]
    # Two classes and six: four more units with 300 weights and a bias each.
    assert [line.split() for line in lines] == [["Ours,", "CR", "541,502"], ["Ours,", "TREC", "542,706"]]
