"""The inputs of an evaluation: packages and files of tasks."""

import math
import sys

import numpy as np
import pytest

from attest.data.inputs import missing_inputs
from attest.errors import SettingsError
from attest.transfer import Outcome, Sklearn, Torch, Transfer, evaluate, figures
from attest.transfer.inputs import transfer_inputs


def missing(tasks, data, settings=None):
    return list(missing_inputs(transfer_inputs(tasks, settings or Transfer(), data)))


def test_the_files_of_every_task_are_inputs(mini_data, tmp_path):
    assert missing(["CR", "STS14"], mini_data) == []
    assert missing(["CR", "STS14"], tmp_path) == ["the files of cr", "the files of sts14"]
    with pytest.raises(SettingsError, match="tasks: unknown task 'CS'"):
        missing(["CS"], mini_data)


@pytest.mark.parametrize(
    ("tasks", "settings", "packages"),
    [
        (["CR"], None, ["scikit-learn"]),
        (["SICK-R"], None, []),
        (["STS14"], None, []),
        (["CR"], Transfer(classifier=Torch()), []),
    ],
)
def test_scikit_learn_is_needed_by_its_classifier_alone(tasks, settings, packages, mini_data, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert missing(tasks, mini_data, settings) == packages


def test_joblib_without_scikit_learn_is_one_sentence_before_any_file_is_read(
    home_with_corpora, mini_data, monkeypatch, cli
):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setattr("attest.cli.commands.transfer.read_tasks", lambda *arguments: pytest.fail("files were read"))
    error = cli.error("transfer", "average", "tasks=CR", "logger=none")
    assert "classifier=sklearn: scikit-learn is not installed; type pip install 'attest[" in error
    with pytest.raises(SettingsError, match="scikit-learn is not installed"):
        evaluate(lambda sentences: pytest.fail("sentences were encoded"), ["CR"], mini_data)


def test_the_vectors_of_a_baseline_and_the_package_of_a_model_are_inputs(home_with_corpora, monkeypatch, cli):
    monkeypatch.setattr("attest.cli.commands.transfer.read_tasks", lambda *arguments: pytest.fail("files were read"))
    error = cli.error("transfer", "average", "tasks=CR", "vectors.file=no.txt", code=1)
    assert "neither no.txt nor no.txt.xz is there" in error
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    error = cli.error("transfer", "sentence-transformers:some/model", "tasks=CR")
    assert "sentence-transformers is not installed; type pip install" in error


def refusal(function, *arguments, **named):
    """The text of the error of a call."""
    with pytest.raises(SettingsError) as error:
        function(*arguments, **named)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (Transfer, {"folds": 1, "seed": math.nan, "batch_size": 0, "jobs": "2", "classifier": "sklearn"}),
        (Sklearn, {"solver": "newton", "kind": "torch"}),
        (
            Torch,
            {
                "hidden": -1,
                "dropout": math.nan,
                "batch_size": 2.5,
                "tenacity": None,
                "epoch_size": 0,
                "max_epochs": "9",
            },
        ),
    ],
)
def test_settings_made_in_python_are_checked(make, wrong):
    for name, value in wrong.items():
        assert refusal(make, **{name: value}).startswith(f"{name}: ")
    assert Torch(dropout=0).dropout == 0.0


def test_the_seed_is_one_that_numpy_takes():
    assert np.random.RandomState(Transfer(seed=2**32 - 1).seed)
    assert refusal(Transfer, seed=2**32) == "seed: 4294967296 is out of range; type a number from 0 to 4294967295"


def test_wrong_arguments_of_an_evaluation_are_named(mini_data, tmp_path):
    def vectors(sentences):
        pytest.fail("sentences were encoded")

    usual = {"encode": vectors, "tasks": ["STS14"], "data": mini_data}
    for name, values in {
        "encode": (None, "average"),
        "tasks": ("STS14", None, [], ["sts14"], [3], ["CR", "CR"]),
        "data": (None, 3),
        "settings": ("sklearn", {"folds": 2}),
    }.items():
        for value in values:
            assert refusal(evaluate, **{**usual, name: value}).startswith(f"{name}: "), value
    assert "Did you mean STS14?" in refusal(evaluate, **{**usual, "tasks": ["sts14"]})
    assert refusal(evaluate, **usual, identity=3, cache=tmp_path).startswith("identity: expected a name")
    assert refusal(evaluate, **usual, identity="mine", cache=3).startswith("cache: expected a folder")
    for alone in ({"identity": "mine"}, {"cache": tmp_path}):
        assert refusal(evaluate, **usual, **alone).startswith("identity, cache: only one of them is given;")


def test_figures_are_those_of_outcomes():
    for wrong in (None, "CR", [], ["CR"], {"CR": 3}):
        assert refusal(figures, wrong).startswith("outcomes: expected the result of evaluate(...), got ")
    outcome = Outcome(task="CR", metrics={"test": 71.0}, examples={}, expected={}, fingerprint="", width=2)
    assert figures({"CR": outcome}) == {"CR/test": 71.0}
