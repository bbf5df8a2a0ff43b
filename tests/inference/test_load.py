"""attest.load: a finished run, from its id or its folder, takes sentences and says what is wrong with arguments."""

import dataclasses
import shutil
import subprocess
import sys
from multiprocessing.reduction import ForkingPickler

import numpy as np
import pytest
from homes import store_of

import attest
from attest.errors import RecordError, SettingsError, StorageError
from attest.inference.arguments import check_batch_size, check_examples, check_strings
from attest.inference.predictions import predictions_of
from attest.runs.trained_model import model_file, read_model, write_model


def test_a_run_of_pairs_is_loaded_from_its_folder_on_another_machine(finished, home, mini_data, tmp_path):
    record = finished("model=disan")
    here = attest.load(record.id[:8], [f"paths.data={mini_data}"])
    moved = shutil.copytree(home / "runs" / record.id, tmp_path / "moved")
    store_of(home).record_path(record.id).unlink()
    there = attest.load(moved, [f"paths.data={tmp_path}"])
    assert there.record == record
    first = " ".join(there.words_by_row[2:8])
    pairs = [(first, there.words_by_row[3]), (there.words_by_row[4], first), ("", "")]
    np.testing.assert_array_equal(there.encode([first]), here.encode([first]))
    sent = ForkingPickler.loads(ForkingPickler.dumps(there))  # as to the processes of Sentence Transformers
    np.testing.assert_array_equal(sent.encode([first]), here.encode([first]))
    predictions = there.predict(pairs)
    assert predictions.classes == tuple(record.settings["dataset.labels"])
    assert predictions.labels == [predictions.classes[i] for i in predictions.probabilities.argmax(1)]
    np.testing.assert_allclose(predictions.probabilities.sum(1), 1, rtol=1e-5)
    np.testing.assert_allclose(there.predict(pairs[:1]).probabilities[0], predictions.probabilities[0], rtol=1e-4)
    assert len(there.predict([])) == 0
    assert there.encode(["quixotic"]).shape == (1, there.task.encoder.width)  # the file of vectors is missing
    with pytest.raises(SettingsError, match="'': this sentence has no words"):
        there.attend("")
    with pytest.raises(SettingsError, match="sentence: expected a string, got list"):
        there.attend([first])


def test_the_words_of_a_sentence_are_the_rows_of_its_maps(finished, mini_data):
    record = finished("model=disan")
    run = attest.load(record.id, [f"paths.data={mini_data}"])
    first, second = run.words(["A man runs .", "Dogs"])
    assert (first, second) == (["a", "man", "runs", "."], ["dogs"])
    weights = run.attend("A man runs .")["attention_0_forward"]
    assert weights.shape[:2] == (len(first), len(first))
    np.testing.assert_allclose(weights.mean(2).sum(1), [0, 1, 1, 1], rtol=1e-5)  # no word is before the first one
    assert not weights[1, 2:].any(), "forward looks back: the first axis has the words that attend"
    with pytest.raises(SettingsError, match="sentences: expected a list, got str; put a single one into brackets"):
        run.words("A man runs .")


def test_the_labels_are_those_of_the_record(finished, home, mini_data):
    record = finished("experiment=disan/trec")
    run = attest.load(record.id, [f"paths.data={mini_data}"])
    lines = (mini_data / "trec/TREC_10.label").read_text(encoding="latin-1").splitlines()
    stored = store_of(home).arrays(record.id)
    predicted = run.predict([lines[row].partition(" ")[2] for row in stored["rows"]])
    assert list(predicted.labels) == [predicted.classes[number] for number in stored["predictions"]]


def test_what_cannot_be_loaded_is_named(finished, home, tmp_path, monkeypatch):
    record = finished("model=s2t")
    folder = home / "runs" / record.id
    path = model_file(folder)
    with pytest.raises(RecordError, match="xyz: no run has this id"):
        attest.load("xyz")
    with pytest.raises(RecordError, match="no run has this id"):
        attest.load("a" * 5000)
    with pytest.raises(StorageError, match=f"{tmp_path}/model.safetensors: there is no such file; name the folder"):
        attest.load(tmp_path)
    with pytest.raises(SettingsError, match="run: expected the id or the folder of a finished run, got 3"):
        attest.load(3)
    model = read_model(path)
    write_model(path, dataclasses.replace(model, record=dataclasses.replace(record, id="0123456789ab")))
    with pytest.raises(RecordError, match="model.safetensors: holds the model of run 0123456789ab; delete it"):
        attest.load(record.id)
    write_model(path, model)
    monkeypatch.setattr("attest.runs.trained_model.FORMAT", 0)
    with pytest.raises(RecordError, match="model.safetensors: written by a newer version of Attest .format 2"):
        attest.load(folder)
    monkeypatch.undo()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StorageError, match="model.safetensors: damaged or cut off"):
        attest.load(folder)


def test_a_run_of_a_class_of_ones_own_is_loaded_where_its_code_is_named(finished, own_folder, monkeypatch):
    (own_folder / "own_sum.py").write_text("from attest.models import SourceToToken as Base\nclass Sum(Base): pass\n")
    record = finished("model=s2t", "model._target_=own_sum.Sum")
    assert type(attest.load(record.id).task.encoder).__name__ == "Sum"
    monkeypatch.delenv("ATTEST_PATH")
    place = "name the folder of its code by the variable ATTEST_PATH or, in a command, by --config-dir FOLDER, or add"
    with pytest.raises(SettingsError, match=f"own_sum.Sum is in none of the packages attest, torch.optim; {place}"):
        attest.load(record.id)
    assert attest.load(record.id, ["packages=[attest,torch.optim,own_sum]"]).record == record
    monkeypatch.setenv("ATTEST_PATH", str(own_folder))
    assert attest.load(record.id).record == record


@pytest.mark.parametrize("wrong", ["paths.data=folder", 3, [3], None])
def test_overrides_are_a_list_of_strings(wrong):
    with pytest.raises(SettingsError, match=r"^overrides(\[0\])?: expected a (list|string), got "):
        attest.load("abc", wrong)


@pytest.mark.parametrize("wrong", ["a dog", b"a dog", None, 3])
def test_a_list_is_expected(wrong):
    with pytest.raises(SettingsError, match="sentences: expected a list, got .*; put a single one into brackets"):
        check_strings(wrong)
    with pytest.raises(SettingsError, match="examples: expected a list, got "):
        check_examples(wrong, 2)


def test_wrong_items_are_named_by_their_place():
    with pytest.raises(SettingsError, match=r"sentences\[1\]: expected a string, got float"):
        check_strings(["a dog", float("nan")])
    with pytest.raises(SettingsError, match=r"examples\[0\]: expected a pair of sentences"):
        check_examples(["a dog"], 2)
    with pytest.raises(SettingsError, match=r"examples\[1\]\[1\]: expected a string, got NoneType"):
        check_examples([("a", "b"), ("a", None)], 2)
    with pytest.raises(SettingsError, match=r"examples\[0\]: expected a sentence, since the run labels single"):
        check_examples([("a", "b")], 1)
    with pytest.raises(SettingsError, match="batch_size: expected an integer of at least 1, got 0"):
        check_batch_size(0)
    with pytest.raises(SettingsError, match="batch_size: expected an integer of at least 1, got True"):
        check_batch_size(True)
    assert check_batch_size(np.int64(5)) == 5
    assert check_examples(iter(["a"]), 1) == [("a",)]
    assert check_strings(np.array(["a", "b"])) == ["a", "b"]


def test_grades_become_scores():
    predictions = predictions_of(np.array([[0.0, 0.0, 0.0, 0.0, 100.0], [0.0] * 5], np.float32), ())
    assert predictions.labels == pytest.approx([5.0, 3.0])
    assert predictions.classes == ()
    assert predictions.probabilities[1] == pytest.approx(0.2)


def test_the_package_alone_loads_neither_torch_nor_hydra():
    code = "import sys, attest; attest.load; sys.exit('torch' in sys.modules or 'hydra' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
