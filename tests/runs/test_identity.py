import json

import pytest
import torch

from attest.config.components import convert_arguments
from attest.config.compose import compose
from attest.config.flat import flatten
from attest.config.settings import Settings
from attest.models import encoders
from attest.reproduction.tables.allowed_deviations import allowed_deviations
from attest.runs import identity
from attest.runs.identity import (
    cell_id,
    code_versions,
    default_settings,
    identifying_settings,
    run_id,
)


def cell_of(settings, replicate="seed"):
    """The id of the cell of a table that the run belongs to."""
    return cell_id(identifying_settings(settings), code_versions(settings), replicate)


def test_the_same_settings_have_the_same_name_however_they_are_written():
    assert run_id(compose([]), "data") == run_id(compose(["model=disan", "seed=1", "model.scale=5"]), "data")
    assert run_id(compose([]), "data") == run_id(compose(["mask=forward_backward"]), "data")


@pytest.mark.parametrize(
    ("typed", "value"),
    [("optimizer.lr=1", 1), ("optimizer.weight_decay=0", 0), ("optimizer.eps=2", 2), ("model.scale=3", 3)],
)
def test_a_whole_number_has_one_spelling(typed, value):
    """The hash saw 1 and 1.0, which every table takes for one value."""
    key = typed.partition("=")[0]
    whole, point = compose([typed]), compose([f"{typed}.0"])
    assert run_id(whole, "data") == run_id(point, "data")
    assert cell_of(whole) == cell_of(point)
    assert json.dumps(flatten(whole)[key]) == json.dumps(float(value))  # records have one spelling too


def test_an_unannotated_number_takes_the_type_of_its_default():
    class Plain:
        def __init__(self, width, rate=0.5, size=3): ...

    assert convert_arguments(Plain, {"width": 1, "rate": 1, "size": 1}, "model") == {"width": 1, "rate": 1, "size": 1}
    assert type(convert_arguments(Plain, {"rate": 1}, "model")["rate"]) is float
    assert type(convert_arguments(Plain, {"size": 1}, "model")["size"]) is int


def test_a_default_that_no_setting_can_state_is_left_out(monkeypatch):
    class Own:
        def __init__(self, activation=torch.relu, sizes=(1, 2), kind=torch.float32, words=frozenset("ab")): ...

    monkeypatch.setattr(identity, "locate_class", lambda *_: Own)
    defaults = {key: value for key, value in default_settings(compose([])).items() if key.startswith("model.")}
    assert defaults == {"model.sizes": [1, 2], "model.words": ["a", "b"]}


def test_what_changes_a_figure_changes_the_name():
    first = run_id(compose([]), "data")
    others = [
        "seed=2",
        "seed=0",
        "mask=diagonal",
        "dropout=0.2",
        "optimizer.rows=dense",
        "protocol.steps=7",
        "scale=paper",
        "text.lowercase=false",
        "trainer.precision=bf16",
        "vectors.trained=none",
        "protocol=authors",
    ]
    names = {first, run_id(compose([]), "other data"), *(run_id(compose([other]), "data") for other in others)}
    assert len(names) == len(others) + 2


def test_what_cannot_change_a_figure_does_not():
    first = run_id(compose([]), "data")
    for other in (
        "trainer.threads=1",
        "paths.home=/elsewhere",
        "logger=none",
        "label.row=disan",
        "trainer.progress=false",
        "trainer.checkpoint_seconds=1",
        "protocol.evaluation_batch_size=7",
        "packages=[attest,mine]",
        "phrases.parser_run=abc",  # sentences are not divided
        "phrases.levels=2",
    ):
        assert run_id(compose([other]), "data") == first, other


def test_whose_trees_matters_only_where_there_are_trees():
    on = "experiment=psan/snli"
    balanced = run_id(compose([on, "phrases=balanced"]), "data")
    assert run_id(compose([on, "phrases=balanced", "phrases.parser_run=abc"]), "data") == balanced
    assert run_id(compose([on, "phrases.parser_run=abc"]), "data") == run_id(compose([on]), "data")
    assert run_id(compose([on, "phrases.source=learned"]), "data") != run_id(compose([on]), "data")
    named, usual = (
        compose([on, "phrases.source=learned", "phrases.parser_run=abc"]),
        compose([on, "phrases.source=learned"]),
    )
    assert run_id(named, "data") == run_id(usual, "data")  # the data say which parser it was
    assert cell_of(named) != cell_of(usual)


def test_versions_of_the_code_are_part_of_the_name(monkeypatch):
    before = run_id(compose([]), "data")
    monkeypatch.setattr(encoders.DiSAN, "version", encoders.DiSAN.version + 1)
    assert run_id(compose([]), "data") != before
    assert code_versions(compose([]))["model"] == encoders.DiSAN.version


def test_defaults_are_left_out_of_the_differences():
    changed = identifying_settings(compose([]))
    assert "trainer.precision" not in changed
    assert "model.scale" not in changed
    assert changed["model._target_"] == "attest.encoders.DiSAN"  # as ids have hashed it from the beginning
    assert identifying_settings(compose(["model.scale=3"]))["model.scale"] == 3.0


def test_a_cell_is_the_same_for_all_seeds():
    assert cell_of(compose(["seed=1"])) == cell_of(compose(["seed=2"])) != cell_of(compose(["mask=diagonal"]))


def test_a_cell_is_the_same_for_all_folds_where_folds_are_its_replicates():
    def name(*overrides):
        return cell_of(compose(overrides), "protocol.fold")

    assert name("protocol.fold=0") == name("protocol.fold=9") != name("protocol.fold=0", "seed=2")
    assert cell_of(compose(["protocol.fold=0"])) != cell_of(compose(["protocol.fold=9"]))


def test_a_run_without_folds_has_the_name_it_had_before_there_were_any():
    assert "protocol.fold" not in identifying_settings(compose([]))
    assert run_id(compose(["protocol.fold=0"]), "data") != run_id(compose([]), "data")


def test_no_setting_outside_the_id_is_recorded():
    flat = flatten(compose([]))
    assert not [key for key in flat if key.startswith(("paths", "logger", "label", "trainer.threads"))]


def test_budgets():
    assert {"protocol.steps", "protocol.epochs", "vectors.file", "trainer.precision"} <= allowed_deviations(
        Settings
    ).keys()
    assert "protocol.batch_size" not in allowed_deviations(Settings)
