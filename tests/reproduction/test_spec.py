"""Every table in reproduce/: readable, its figures those of the paper, its rows composed and built."""

import re
import shutil

import numpy as np
import pytest
import torch

from attest.benchmarks.spec import BENCHMARKS
from attest.config.checks import check_settings
from attest.config.compose import compose
from attest.config.paths import shipped_folder
from attest.config.yaml_files import read_yaml
from attest.data.splits.split import Ragged, Split
from attest.errors import SettingsError
from attest.reproduction.pages.terminal.parameters import parameter_count
from attest.reproduction.specs import files
from attest.reproduction.specs.metric_names import check_metric
from attest.reproduction.specs.table import load_table, read_table, table_names
from attest.reproduction.tables.cells import cells, check_same_experiment
from attest.training.tasks import BUILT_IN_TASKS


def test_the_name_of_a_file_says_what_it_holds():
    telling = {"table": "columns", "figure": "shows", "search": "settings", "open choices": "choices"}
    shipped_files = {path for path in shipped_folder("reproduce").rglob("*.yaml") if path.parent.name != BENCHMARKS}
    for kind, key in telling.items():
        paths = set(files.paths(kind).values())
        assert not [path for path in paths if key not in read_yaml(path)]
        shipped_files -= paths
    assert not shipped_files


@pytest.mark.parametrize("name", table_names())
@pytest.mark.parametrize("scale", ["mini", "paper"])
def test_every_row_of_every_table_composes_and_is_built(name, scale):
    spec = load_table(name)
    found = cells(spec, scale)
    assert {cell.row for cell in found} == spec.run_rows.keys() & spec.rows_at(scale).keys()
    shown = {(cell.id, spec.rows[cell.row].genre) for cell in found}
    assert len(shown) == len(found)  # no two claim the same runs, or the same genre of their data
    for cell in found:
        assert cell.settings.label.table == name
        check_settings(cell.settings)


@pytest.mark.parametrize("name", table_names())
def test_printed_parameters_are_ours_rounded(name):
    spec = load_table(name)
    for cell in cells(spec, "paper"):
        printed = spec.rows[cell.row].paper.get("parameters")
        if printed is not None:
            assert printed.value is not None
            assert round(parameter_count(cell.settings) / 1e6, 2) == pytest.approx(printed.value), cell.row


def test_disan_table_1_holds_the_papers_figures():
    spec = load_table("disan/table1")
    printed = {name: [row.paper[column].value for column in ("parameters", "seconds", "train", "test")]
               for name, row in spec.run_rows.items() if row.paper}  # fmt: skip
    assert printed == {
        "additive": [0.45, 216, 82.39, 79.81],
        "s2t": [0.54, 261, 86.22, 83.12],
        "multi_head": [1.98, 345, 89.58, 84.17],
        "bilstm": [2.88, 2080, 90.39, 84.98],
        "no_directions": [2.35, 592, 90.18, 84.66],
        "disan": [2.35, 587, 91.08, 85.62],
    }
    assert len(spec.rows) == 17 + 1  # and Fast-DiSA
    # "best latest test accuracy by a remarkable margin of 1.02%"
    cited = [row.paper["test"].value or 0 for row in spec.rows.values() if row.cited]
    assert printed["disan"][3] - max(cited) == pytest.approx(1.02)


def test_the_search_of_the_multi_head_row():
    variants = [cell.settings.model["dropout"] for cell in cells(load_table("disan/table1"), "paper", ["multi_head"])]
    assert variants == [0.3, 0.25, 0.2, 0.15, 0.1]  # keep probabilities 0.7 to 0.9
    narrow = [cell.settings.model["dropout"] for cell in cells(load_table("disan/table1"), "mini", ["multi_head"])]
    assert narrow == [0.3, 0.25]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("columns:", "colums:", "colums: unknown setting. Did you mean columns"),
        (
            "set: [model=additive]",
            "sett: [model=additive]",
            "rows.additive.sett: unknown setting. Did you mean rows.additive.set",
        ),
        ("value: 79.81", "value: high", "rows.additive.paper.test.value: expected a number, got 'high'"),
        ("value: 79.81", "value: null", "rows.additive.paper.test: value is null; add reason: TEXT"),
        (
            "seconds: {value: 216}",
            "secnds: {value: 216}",
            "rows.additive.paper.secnds: there is no such column. Did you mean seconds",
        ),
        (
            "set: [model=additive]",
            "cited: Nobody",
            r"comparisons\[0\]: additive is no row that we run",
        ),
        (
            "metric: test/accuracy,",
            "metric: test/acuracy,",
            "columns.test.metric: test/acuracy is no metric; there are",
        ),
        ("select: dev/accuracy", "select: dev/acuracy", "rows.multi_head.search.select: dev/acuracy is no metric"),
        (
            "select: dev/accuracy",
            "select: test/accuracy",
            "rows.multi_head.search.select: test/accuracy is no metric of the dev set, which alone may select",
        ),
        (
            "replicates: {",
            "paper_budget: {protocol.stepz: 9}\nreplicates: {",
            "paper_budget.protocol.stepz: no limit of training. Did you mean protocol.steps",
        ),
        ("value: 79.81", "value: 79.81, of: best", "rows.additive.paper.test.runs: missing; type of how many runs"),
        ("value: 79.81", "value: 79.81, runs: 3", "rows.additive.paper.test.runs: only a mean, or the best"),
        ("of: best", "of: best, runs: 3", "rows.multi_head.paper.test.runs: only a mean, or the best"),
        ("cited: Liu et al. 2016", "title: twice", "title"),
        ("set: [model=additive]", "set: [seed]", "rows.additive.set: 'seed' is no setting; type key=value"),
        (
            "set: [model=additive]",
            "set: [model=additive, seed=3]",
            "rows.additive.set: seed=3: `replicates` gives each run its seed; leave it out",
        ),
        ("n: 5", "n: 0", "replicates.n: 0 is out of range"),
        ("title:", "\ttitle:", "not readable as YAML"),
    ],
)
def test_mistakes_in_a_table_name_the_file(tmp_path, old, new, message):
    path = tmp_path / "table.yaml"
    text = (shipped_folder("reproduce") / "disan/table1.yaml").read_text().replace(old, new, 1)
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"table.yaml.*" + message):
        read_table(path, "x")
    shutil.rmtree(tmp_path)


def test_a_misspelt_table_or_row_is_named():
    with pytest.raises(SettingsError, match="Did you mean disan/table1"):
        load_table("disan/tabel1")
    with pytest.raises(SettingsError, match="no such row. Did you mean disan"):
        cells(load_table("disan/table1"), "mini", ["disam"])
    with pytest.raises(SettingsError, match="nse: a cited row"):
        cells(load_table("disan/table1"), "mini", ["nse"])


def test_seeds():
    replicates = load_table("disan/table1").replicates
    assert replicates.numbers("mini") == [1]
    assert replicates.numbers("paper") == [1, 2, 3, 4, 5]
    assert replicates.numbers("paper", "3") == [1, 2, 3]
    assert replicates.numbers("mini", "0,7") == [0, 7]
    assert replicates.numbers("mini", "[0]") == [0]
    for wrong in ("x", "0", "-1", "1,1", "[-1]"):
        with pytest.raises(SettingsError, match="seeds="):
            replicates.numbers("mini", wrong)


def test_only_budgets_may_change_the_runs_of_a_table():
    spec = load_table("disan/table1")
    wanted = cells(spec, "paper", ["s2t", "disan"])
    check_same_experiment(
        spec, wanted, ["protocol.steps=5", "trainer.threads=1", "logger=none", "trainer.precision=bf16"]
    )
    for other in ("optimizer.lr=1", "seed=2", "protocol.fold=1"):
        with pytest.raises(SettingsError, match="changing it makes other experiments"):
            check_same_experiment(spec, wanted, [other])
    assert compose(["vectors=glove_840b", "scale=paper"]).vectors.expected == 2_196_017


@pytest.mark.parametrize(
    ("override", "advice"),
    [
        (
            "hidden_size=3",
            'for a row with it, type with="model=disan mask=forward_backward hidden_size=3", or use',
        ),
        ("model=s2t", 'for a row with it, type with="model=s2t", or'),
        ("seed=2", "type seeds=[2], or use `attest"),
        ("protocol.fold=1", "use `attest"),
    ],
)
def test_the_refusal_of_a_setting_names_what_was_typed_and_what_to_type(override, advice):
    spec = load_table("disan/table1")
    key, table = override.partition("=")[0], "disan/table1"
    expected = f"{key}: changing it makes other experiments than those of {table}; {advice}"
    with pytest.raises(SettingsError, match=re.escape(expected)):
        check_same_experiment(spec, cells(spec, "paper", ["disan"]), ["trainer.threads=1", override])


def test_what_leaves_one_row_as_it_is_may_change_another():
    spec = load_table("disan/table4")
    check_same_experiment(spec, cells(spec, "paper", ["disan"]), ["protocol.batch_size=64"])
    with pytest.raises(SettingsError, match=r"protocol\.batch_size: changing it makes other experiments"):
        check_same_experiment(spec, cells(spec, "paper", ["disan", "disan_authors"]), ["protocol.batch_size=64"])


def test_whatever_a_task_measures_may_stand_in_a_column():
    zeros = np.zeros(2, np.int64)
    scores = np.array([1.0, 2.0], np.float32)
    split = Split((Ragged.from_lists([[2]] * 2),) * 2, zeros, np.arange(2), zeros.astype(np.int16), scores)
    for task in BUILT_IN_TASKS.values():
        for name in task.metrics("test", torch.zeros(2, 5), split, ["order"]):
            check_metric("here", name)
