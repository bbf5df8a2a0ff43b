"""Rows that with=... adds to a table, and tables that extend another one."""

import pytest
from reproduction.made_up import record

from attest.config.settings import Label
from attest.errors import SettingsError
from attest.reproduction.specs.added_rows import row_names, settings_of, with_rows
from attest.reproduction.specs.table import load_table, read_table, table_names
from attest.reproduction.tables.cells import cells, jobs
from attest.reproduction.tables.membership import cells_of, check_label, labelled_cell
from hydra_plugins.attest_sweepers import _inputs, _launching
from hydra_plugins.attest_sweepers.table import TableSweeper


def test_commas_separate_rows_and_spaces_settings():
    text = "model=s2t,model=disan  hidden_size=3 , model.directions=[none,diagonal] model.x='a b,c'"
    assert row_names(text) == [
        "model=s2t", "model=disan hidden_size=3", "model.directions=[none,diagonal] model.x='a b,c'",
    ]  # fmt: skip
    assert row_names("model=m model.x=[[1,2],[3,4]],model=n") == ["model=m model.x=[[1,2],[3,4]]", "model=n"]
    assert settings_of(row_names(text)[2]) == ["model.directions=[none,diagonal]", "model.x='a b,c'"]


def test_a_row_is_added_under_the_protocol_of_the_table():
    spec = load_table("disan/table2")
    assert with_rows(spec, "") is spec
    extended = with_rows(spec, "model=s2t model.activation=relu")
    (cell,) = cells(extended, "mini", ["model=s2t model.activation=relu"])
    assert cell.overrides == (
        "experiment=disan/sst", "model=s2t", "model.activation=relu", "label.table=disan/table2",
        "label.row='model=s2t model.activation=relu'",
    )  # fmt: skip
    assert cell.settings.label.row == "model=s2t model.activation=relu"
    assert len(jobs([cell], "paper", None)) == spec.replicates.n
    assert list(extended.rows)[:-1] == list(spec.rows)
    assert (extended.comparisons[-1].first, extended.comparisons[-1].second) == (cell.row, "disan")


@pytest.mark.parametrize(
    ("rows", "expected"), [([], ["model=s2t seed=1", "model=disan seed=1"]),
                           (["bilstm"], ["bilstm seed=1", "model=s2t seed=1", "model=disan seed=1"])]
)  # fmt: skip
def test_the_sweeper_runs_added_rows_and_those_that_are_named(rows, expected, monkeypatch):
    monkeypatch.setattr(_launching, "launch_all", lambda launcher, jobs, title: jobs)
    monkeypatch.setattr(_inputs, "missing_inputs", lambda inputs: {})
    monkeypatch.setattr(_inputs, "provide_data", lambda settings: None)
    sweeper = TableSweeper("disan/table2", rows, None, added="model=s2t,model=disan")
    sweeper.launcher = object()
    made = sweeper.sweep(["protocol.steps=3"])
    assert list(made) == expected
    assert "label.row='model=s2t'" in made["model=s2t seed=1"]


def test_a_row_that_equals_one_of_the_table_is_the_same_experiment():
    extended = with_rows(load_table("disan/table2"), "model=s2t")
    own, papers = cells(extended, "mini", ["model=s2t", "s2t"])[::-1]
    assert {own.id} == {papers.id}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mine", "with=mine: mine is no setting; type with=model=NAME"),
        ("seed=3", "with=seed=3: seed applies to all rows"),
        ("model=s2t scale=paper", "with=model=s2t scale=paper: scale applies to all rows"),
        ("model=s2t paths.data=a", "paths.data applies to all rows"),
        ("model=s2t,protocol.fold=1", "protocol.fold applies to all rows"),
        ("model={", "not of the form key=value"),
    ],
)
def test_what_cannot_be_a_row(text, message):
    with pytest.raises(SettingsError, match=message):
        with_rows(load_table("disan/table2"), text)


def test_a_record_finds_its_added_row_again(settings_with):
    row = "model=s2t model.activation=relu"
    (cell,) = cells(with_rows(load_table("disan/table1"), row), "mini", [row])
    made = record("s2t", "model.activation=relu", scale="mini", label=Label(table="disan/table1", row=row))
    found = labelled_cell(made)
    assert found is not None
    assert (found.row, found.id) == (row, cell.id)
    assert [(name, cell.row) for name, cell in cells_of(made)] == [("disan/table1", row)]
    gone = record("s2t", scale="mini", label=Label(table="disan/table1", row="model=that_is_gone"))
    assert labelled_cell(gone) is None
    assert [cell.row for _, cell in cells_of(gone)] == ["s2t"]


def test_a_label_names_a_row_that_the_table_runs():
    for label in (Label(), Label(row="anything"), Label(table="disan/table1", row="s2t"),
                  Label(table="disan/table1", row="model=s2t")):  # fmt: skip
        check_label(label)
    with pytest.raises(SettingsError, match=r"label.row: disan/table1 runs no row mine.*reproduce disan/table1 with="):
        check_label(Label(table="disan/table1", row="mine"))
    with pytest.raises(SettingsError, match=r"label.row: disan/table1 runs no row nse"):
        check_label(Label(table="disan/table1", row="nse"))
    with pytest.raises(SettingsError, match=r"disan/tabel1: label.table: there is no such table. Did you mean"):
        check_label(Label(table="disan/tabel1", row="s2t"))


OWN = """extends: disan/table2
keep: [rntn, s2t, disan]
title: Ours
rows:
  relu: {title: ReLU, set: [model=s2t, model.activation=relu]}
comparisons:
  - {first: relu, second: s2t, column: test, text: Does it matter?, printed: false}
"""


def own_table(folder, text=OWN):
    path = folder / "reproduce/mine/own.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_table_of_the_users_own_holds_rows_of_a_paper_and_others(own_folder):
    own_table(own_folder)
    spec, paper = load_table("mine/own"), load_table("disan/table2")
    assert "mine/own" in table_names()
    assert "mine/own" not in table_names(own=False)
    assert list(spec.rows) == ["rntn", "s2t", "disan", "relu"]
    assert (spec.title, spec.columns, spec.replicates, spec.base) == (
        "Ours", paper.columns, paper.replicates, paper.base,
    )  # fmt: skip
    assert spec.rows["disan"] == paper.rows["disan"]
    assert [(each.first, each.second) for each in spec.comparisons] == [("relu", "s2t")]
    ids = {cell.row: cell.id for cell in cells(spec, "mini")}
    theirs = {cell.row: cell.id for cell in cells(paper, "mini", ["s2t", "disan"])}
    assert theirs.items() <= ids.items()
    assert len(set(ids.values())) == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("disan/table2", "disan/table9", r":1: extends: there is no table disan/table9 to extend. Did you mean disan/"),
        ("disan/table2", "mine/own", r":1: extends: mine/own is, or extends, this table"),
        ("[rntn,", "[rnnt,", r":2: keep: the extended table has no row rnnt. Did you mean rntn"),
        ("[rntn, s2t, disan]", "disan", r":2: keep: expected a list of rows, got 'disan'"),
        ("  relu: {title", "  relu: {titel", r":5: rows.relu.titel: unknown setting. Did you mean rows.relu.title"),
        ("second: s2t", "second: s3t", r":7: comparisons\[0\]: s3t is no row that we run"),
        (OWN[OWN.index("comparisons") :], "comparisons:\n", r":6: comparisons: expected a list, got None"),
        ("{first: relu, second", "{second", r":7: comparisons\[0\].first: missing; add it"),
        ("title: Ours", "columns: {}\ntitle: Ours", r":5: rows.rntn.paper.test: there is no such column"),
    ],
)
def test_mistakes_in_a_table_of_the_users_own(old, new, message, own_folder):
    path = own_table(own_folder, OWN.replace(old, new))
    with pytest.raises(SettingsError, match=rf"^{path}{message}"):
        read_table(path, "mine/own")


def test_tables_that_extend_each_other_or_one_without_rows(own_folder):
    path = own_table(own_folder, OWN.replace("disan/table2", "mine/other"))
    other = path.with_name("other.yaml")
    other.write_text("extends: mine/own\n")
    with pytest.raises(SettingsError, match=rf"^{path}:1: extends: mine/own is, or extends, this table"):
        read_table(path, "mine/own")
    other.write_text("title: No rows\n")
    with pytest.raises(SettingsError, match=rf"^{path}:1: extends: the extended table has no rows"):
        read_table(path, "mine/own")


def test_settings_of_a_row_that_do_not_exist_name_file_and_line(own_folder):
    path = own_table(own_folder, OWN.replace("[model=s2t, model.activation", "[model=s3t, model.activation"))
    with pytest.raises(SettingsError, match=rf"^{path}:5: model=s3t: no such choice"):
        cells(load_table("mine/own"), "mini")
