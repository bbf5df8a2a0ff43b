"""A finished run reads words that it was not trained on."""

import dataclasses

import numpy as np
import pytest
import torch
from inference.fixtures import QUICK, sentences_of

from attest.data.splits.split import FIRST_WORD, UNKNOWN
from attest.data.text.unknown_words import shared_row_name
from attest.errors import DataError
from attest.inference import new_words
from attest.inference.opening import open_model, open_run
from attest.runs.trained_model import write_model
from attest.training import run as training


def test_new_words_have_the_vectors_of_the_file_and_others_none(settings_with, richer_data):
    elsewhere = f"paths.data={richer_data}"
    run = open_run(training.run(settings_with(*QUICK, "model=s2t", elsewhere)).id, [elsewhere])
    first, behind = run.words_by_row[FIRST_WORD], len(run.words_by_row)
    tokens = run.tokens([f"{first} Quixotic zyx", "quixotic"]).tokens
    assert tokens.tolist() == [FIRST_WORD, behind, UNKNOWN, behind]
    x = run.task.words(torch.tensor(tokens))
    assert x[1].tolist() == x[3].tolist() == [0.5] * 24
    assert not x[2].any()
    assert run.encode([f"the {first}"]) != pytest.approx(run.encode([f"quixotic {first}"]))


def test_words_without_a_vector_are_those_of_training_where_they_share_vectors(opened, monkeypatch):
    run = opened("model=s2t", "vectors.unknown=hashed")
    tokens = run.tokens(["zyx zyz zyx"]).tokens.tolist()
    assert [run.words_by_row[token] for token in tokens] == [shared_row_name(word) for word in ("zyx", "zyz", "zyx")]
    x = run.task.words(torch.tensor(tokens))
    assert x.abs().max() <= 0.05
    assert x[0].any()
    assert x[0].equal(x[2])


def test_the_file_of_vectors_is_read_once_for_the_same_words(opened, monkeypatch):
    run = opened("model=s2t")
    run.tokens(["zyx zyz"])
    monkeypatch.setattr(new_words, "read_vectors", lambda *arguments: pytest.fail("read again"))
    assert run.tokens(["zyz zyx"]).tokens.tolist() == [UNKNOWN, UNKNOWN]


def test_a_finished_run_needs_its_data_for_new_words_alone(opened, tmp_path):
    run = opened("model=disan")
    sentences = sentences_of(run, "test", 3)
    nowhere = [f"paths.data={tmp_path / 'nothing'}", f"paths.cache={tmp_path / 'cache'}"]
    moved = open_run(run.record.id, nowhere)
    np.testing.assert_array_equal(moved.encode(sentences), run.encode(sentences))
    assert (moved.words_by_row, moved.sides) == (run.words_by_row, 2)
    with pytest.raises(
        DataError, match=rf"{run.record.id} has not met 'quixotic', whose vector it needs: .*nothing/gl"
    ):
        moved.encode(["quixotic"])
    lenient = dataclasses.replace(moved, new_words="optional")
    assert lenient.tokens(["quixotic"]).tokens.tolist() == [UNKNOWN]


@pytest.fixture
def run_of_richer_data(settings_with, richer_data):
    """A run whose file of vectors holds two words that it has not met: quixotic and horses."""
    with (richer_data / "glove/glove.mini.24d.txt").open("a") as file:
        file.write("horses " + " ".join(["-0.25", "0.5"] * 12) + "\n")
    elsewhere = f"paths.data={richer_data}"
    return open_run(training.run(settings_with(*QUICK, "model=s2t", elsewhere)).id, [elsewhere])


def test_copies_of_a_run_share_the_words_that_either_appends(run_of_richer_data, tmp_path):
    run = run_of_richer_data
    behind, quixotic = len(run.words_by_row), run.encode(["quixotic"])
    copy = dataclasses.replace(run)
    assert copy.tokens(["horses quixotic"]).tokens.tolist() == [behind + 1, behind]
    np.testing.assert_array_equal(copy.encode(["quixotic"]), quixotic)
    assert run.tokens(["horses"]).tokens.tolist() == [behind + 1]
    assert run.add_words(["horses", "zyx"]) == ["zyx"]
    assert [*run.model.words] == [*copy.model.words] == [*run.words_by_row, "quixotic", "horses"]
    write_model(tmp_path / "model.safetensors", copy.model)
    opened_again = open_model(tmp_path)
    np.testing.assert_array_equal(opened_again.encode(["quixotic"]), quixotic)
    np.testing.assert_array_equal(opened_again.encode(["horses"]), run.encode(["horses"]))


def test_a_copy_that_reads_no_file_leaves_new_words_to_the_run(run_of_richer_data):
    run = run_of_richer_data
    assert dataclasses.replace(run, new_words="unknown").tokens(["quixotic"]).tokens.tolist() == [UNKNOWN]
    assert run.tokens(["quixotic"]).tokens.tolist() == [len(run.words_by_row)]


def test_a_duplicate_does_not_look_again_for_words_without_a_vector(opened, monkeypatch):
    run = opened("model=s2t")
    run.tokens(["zyx"])
    twin = run.duplicate()
    monkeypatch.setattr(new_words, "read_vectors", lambda *arguments: pytest.fail("read again"))
    assert twin.tokens(["zyx"]).tokens.tolist() == [UNKNOWN]
    assert twin.task is not run.task
    assert twin.task.words is run.task.words
