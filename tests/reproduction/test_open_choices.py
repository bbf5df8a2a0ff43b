"""Each way of each open choice composes, ours is the default, and every other way is another experiment."""

from functools import cache

import pytest

from attest.config.compose import compose
from attest.config.flat import flatten
from attest.config.paths import shipped_folder
from attest.errors import SettingsError
from attest.reproduction.specs.choices import format_choices, load_choices, papers, table_rows
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.matching import changed_settings, matching_records
from attest.runs.identity import run_id
from attest.runs.records import Record

CASES = [(paper, name) for paper in papers() for name in load_choices(paper).choices]


@cache
def identity(*overrides):
    return run_id(compose(overrides), "data")


@pytest.mark.parametrize(("paper", "name"), CASES)
def test_every_way_is_an_experiment_of_its_own_and_ours_is_the_default(paper, name):
    written = load_choices(paper)
    base = ["scale=paper", *written.base]
    ids = [identity(*base, *way) for way in written.choices[name].readings()]
    assert ids[0] == identity(*base)
    assert len(set(ids)) == len(ids) > 1


def test_the_list_names_every_way():
    text = format_choices(load_choices("disan"))
    assert "  other  model.activation=relu head.activation=relu" in text
    assert "  ours   optimizer.rows=touched  (TensorFlow's sparse gradients)" in text


def test_as_a_table_every_other_way_stands_against_ours():
    spec = load_table("disan/choices")
    others = sum(len(choice.alternatives) for choice in load_choices("disan").choices.values())
    assert len(spec.rows) == len(spec.comparisons) + 1 == others + 1
    assert {(each.second, each.column) for each in spec.comparisons} == {("ours", "test")}
    assert spec.rows["masks_1"].set == ("mask=diagonal",)
    assert spec.rows["masks_1"].title == "Masks (`mask=diagonal`)"
    ids = {cell.id for cell in cells(spec, "paper")}
    assert len(ids) == others + 1


def test_unknown_papers_are_refused():
    with pytest.raises(SettingsError, match="Did you mean disan"):
        load_choices("disna")


def test_a_run_with_a_default_spelt_out_belongs_to_the_row_that_leaves_it_at_that():
    """It is one experiment, and has one id."""
    (cell,) = cells(load_table("disan/choices"), "paper", ["ours"])
    spelt = compose([*cell.overrides, "scale=paper", "seed=1", "model=disan", "mask=forward_backward"])
    assert run_id(spelt, "f") == run_id(cell.settings, "f")
    record = Record(id="x", status="done", settings=flatten(spelt), versions={}, data={}, seed=1)
    assert changed_settings(cell, record) == set()


def test_a_run_without_the_alternative_of_a_row_does_not_belong_to_the_row():
    """Protocol and budget may differ elsewhere, where the run is shown with a deviation."""
    (ours,) = cells(load_table("dam/choices"), "paper", ["ours"])
    spec = load_table("dam/choices")
    rows = {row.set: name for name, row in spec.rows.items()}
    shorter = compose([*ours.overrides, "scale=paper", "seed=1", "protocol.epochs=10", "protocol.batches=by_length"])
    record = Record(id="x", status="done", settings=flatten(shorter), versions=ours.versions, data={}, seed=1)
    assert list(matching_records(ours, [record], "done")) == [record]
    (cell,) = cells(spec, "paper", [rows["protocol.batches=equal_lengths",]])
    assert cell.fixed == ("protocol.batches",)
    assert not list(matching_records(cell, [record], "done"))


def test_a_table_whose_base_has_another_reading_compares_the_default_with_it():
    spec = load_table("dam/choices")
    assert spec.rows["scored"].set == ("model.scored=transformed",)
    (why,) = [each.text for each in spec.comparisons if each.first == "scored"]
    default = "Default of our experiments: model.scored=transformed ("
    assert f"First row of this table: model.scored=items. {default}" in why


def test_each_reading_that_the_base_does_not_have_is_a_row():
    rows = table_rows(load_choices("dam"), ["dev"], ["vectors.unknown_range=0.37", "protocol.epochs=46"])["rows"]
    assert rows["epochs"]["set"] == ["protocol.epochs=100"]
    assert rows["words_without_vector_1"]["set"] == ["vectors.unknown_range=1.0"]
    assert rows["words_without_vector_2"]["set"] == ["vectors.unknown_range=0.0"]
    assert rows["scored"]["set"] == ["model.scored=items"]


@pytest.mark.parametrize("mistake", ["base: null", "base: 3", "base: [3]", "columns: null", "columns: 3"])
def test_a_mistake_in_a_table_of_choices_names_its_key(mistake, own_folder):
    path = own_folder / "reproduce" / "mine" / "wrong.yaml"
    path.parent.mkdir(parents=True)
    keys = {
        "base": "base: [experiment=psan/sick_entailment]",
        "columns": "columns: {test: {title: Test, metric: test/accuracy}}",
    }
    key = mistake.partition(":")[0]
    replicates = "replicates: {axis: seed, n: 1, mini: 1}"
    lines = ["title: a", "reference: b", "source: c", "choices: psan", replicates, *(keys | {key: mistake}).values()]
    path.write_text("\n".join(lines))
    with pytest.raises(SettingsError, match=rf"wrong\.yaml:\d+: {key}"):
        load_table("mine/wrong")


def test_a_table_of_choices_may_keep_some_rows_and_add_others(own_folder):
    path = own_folder / "reproduce" / "mine" / "some.yaml"
    path.parent.mkdir(parents=True)
    text = (shipped_folder("reproduce") / "psan/choices.yaml").read_text()
    path.write_text(text + "keep: [ours, carry]\nrows: {mine: {title: mine, set: [model.dropout=0.1]}}\n")
    assert list(load_table("mine/some").rows) == ["ours", "carry", "mine"]
