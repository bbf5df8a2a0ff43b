"""The inputs of an evaluation: packages and files of tasks."""

import sys

import pytest

from attest.cli import main
from attest.data.inputs import missing_inputs
from attest.errors import SettingsError
from attest.transfer import Torch, Transfer, evaluate
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


def test_joblib_without_scikit_learn_is_one_sentence_before_any_file_is_read(home, mini_data, monkeypatch, capsys):
    (home / "cache/mini").symlink_to(mini_data)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setattr("attest.cli.transfer.read_all", lambda *arguments: pytest.fail("files were read"))
    assert main(["transfer", "average", "tasks=CR", "logger=none"]) == 2
    assert "classifier=sklearn: scikit-learn is not installed; type pip install 'attest[" in capsys.readouterr().err
    with pytest.raises(SettingsError, match="scikit-learn is not installed"):
        evaluate(lambda sentences: pytest.fail("sentences were encoded"), ["CR"], mini_data)


def test_the_vectors_of_a_baseline_and_the_package_of_a_model_are_inputs(home, mini_data, monkeypatch, capsys):
    (home / "cache/mini").symlink_to(mini_data)
    monkeypatch.setattr("attest.cli.transfer.read_all", lambda *arguments: pytest.fail("files were read"))
    assert main(["transfer", "average", "tasks=CR", "vectors.file=no.txt"]) == 1
    assert "neither no.txt nor no.txt.xz is there" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    assert main(["transfer", "sentence-transformers:some/model", "tasks=CR"]) == 2
    assert "sentence-transformers is not installed; type pip install" in capsys.readouterr().err
