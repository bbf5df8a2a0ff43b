"""The inputs of a run: its official files, trees, vectors, device and parser."""

from pathlib import Path

import pytest

from attest.data.inputs import check_inputs, missing_inputs
from attest.errors import RecordError, SettingsError
from attest.runs.store import Store
from attest.training import run
from attest.training.inputs import training_inputs


def missing(settings):
    return list(missing_inputs(training_inputs(settings)))


def test_a_run_with_all_its_files_lacks_nothing(settings_with):
    assert missing(settings_with()) == []
    assert missing(settings_with("experiment=psan/snli", "phrases=balanced")) == []


def test_each_missing_file_is_named(settings_with, tmp_path):
    assert missing(settings_with(f"paths.data={tmp_path}", "experiment=disan/sick", "text.tokens=parse")) == [
        "the files of sick",
        *(f"the trees {path}" for path in settings_with("experiment=disan/sick").dataset.parses),
        "the word vectors glove/glove.mini_sentences.24d.txt",
    ]
    assert missing(settings_with("vectors.file=elsewhere.txt")) == ["the word vectors elsewhere.txt"]


def test_the_treebanks_of_a_parser_that_is_not_trained_yet_are_inputs(settings_with, tmp_path, monkeypatch):
    monkeypatch.setattr("attest.training.inputs.lacks_default_parser", lambda settings: True)
    learned = ("experiment=psan/snli", "phrases=learned")
    assert missing(settings_with(*learned)) == []
    assert {"the files of sick", "the files of sst"} <= set(missing(settings_with(*learned, f"paths.data={tmp_path}")))


def test_a_parser_that_is_named_must_be_there(settings_with):
    settings = settings_with("experiment=psan/snli", "phrases=learned", "phrases.parser_run=0123")
    (error,) = missing_inputs(training_inputs(settings)).values()
    assert isinstance(error, RecordError)
    assert "0123: no parser has this id" in str(error)


def test_settings_of_the_data_that_do_not_fit_come_first(settings_with, tmp_path):
    with pytest.raises(SettingsError, match="has no training data"):
        check_inputs(training_inputs(settings_with("dataset=sts14", f"paths.data={tmp_path}")))
    advice = "name its folder by the variable ATTEST_PATH or, in a command, by --config-dir FOLDER"
    with pytest.raises(SettingsError, match=f"dataset.files: no files of cr are known; {advice}"):
        check_inputs(training_inputs(settings_with("dataset=cr", "~dataset.files", "+dataset.files={}")))


def test_a_missing_gpu_leaves_no_failed_record(settings_with, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    settings = settings_with("trainer.accelerator=gpu", "protocol.steps=1")
    with pytest.raises(SettingsError, match="torch finds no GPU"):
        run.run(settings)
    assert list(Store(Path(settings.paths.records))) == []


def test_no_parser_is_trained_for_a_run_whose_vectors_are_missing(home_with_corpora, monkeypatch, cli):
    monkeypatch.setattr("attest.cli.commands.parsers.run", lambda *arguments: pytest.fail("a parser was trained"))
    words = ("experiment=psan/snli", "phrases=learned", "vectors.file=missing.txt", "logger=none")
    assert "neither missing.txt nor missing.txt.xz is there" in cli.error("train", *words, code=1)
