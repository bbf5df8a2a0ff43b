"""A finished run reads words that it was not trained on."""

import dataclasses

import numpy as np
import pytest
import torch
from inference.fixtures import QUICK, sentences_of

from attest.data.split import FIRST_WORD, UNKNOWN
from attest.data.text.unknown_words import shared_row_name
from attest.errors import DataError
from attest.inference import new_words
from attest.inference.opening import open_run
from attest.training import run as training


def test_new_words_have_the_vectors_of_the_file_and_others_none(settings_with, richer_data):
    elsewhere = f"paths.data={richer_data}"
    run = open_run(training.run(settings_with(*QUICK, "model=s2t", elsewhere)).id, [elsewhere])
    first, behind = run.vocabulary[FIRST_WORD], len(run.vocabulary)
    tokens = run.tokens([f"{first} Quixotic zyx", "quixotic"]).tokens
    assert tokens.tolist() == [FIRST_WORD, behind, UNKNOWN, behind]
    x = run.module.words(torch.tensor(tokens))
    assert x[1].tolist() == x[3].tolist() == [0.5] * 24
    assert not x[2].any()
    assert run.encode([f"the {first}"]) != pytest.approx(run.encode([f"quixotic {first}"]))


def test_words_without_a_vector_are_those_of_training_where_they_share_vectors(opened, monkeypatch):
    run = opened("model=s2t", "vectors.unknown=hashed")
    tokens = run.tokens(["zyx zyz zyx"]).tokens.tolist()
    assert [run.vocabulary[token] for token in tokens] == [shared_row_name(word) for word in ("zyx", "zyz", "zyx")]
    x = run.module.words(torch.tensor(tokens))
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
    assert (moved.vocabulary, moved.sides) == (run.vocabulary, 2)
    with pytest.raises(
        DataError, match=rf"{run.record.id} has not met 'quixotic', whose vector it needs: .*nothing/gl"
    ):
        moved.encode(["quixotic"])
    lenient = dataclasses.replace(moved, new_words="optional")
    assert lenient.tokens(["quixotic"]).tokens.tolist() == [UNKNOWN]
