"""Word vectors come from a file, or all begin at random."""

import numpy as np
import pytest
import torch

from attest.config.compose import compose
from attest.data.inputs import vectors_input
from attest.data.prepare import prepare
from attest.errors import MissingFileError
from attest.inference.opening import open_run
from attest.reproduction.tables.data_deviations import vectors_deviation
from attest.training import run as training

SHORT = ("protocol.steps=4", "protocol.evaluate_every=4")


def test_without_a_file_every_training_word_begins_at_random(settings_with, caplog):
    corpus = prepare(settings_with("vectors.file=none"))
    assert np.isnan(corpus.vectors[2 : 2 + corpus.training_words]).all()  # drawn when the run begins
    assert len(corpus.vectors) == 2 + corpus.training_words  # words of dev and test only are unknown
    assert corpus.facts["vectors"]["rows"] == 0
    assert corpus.fingerprint != prepare(settings_with()).fingerprint
    assert "begin at random" not in caplog.text  # it is meant


def test_a_run_without_a_file_trains_and_reads_new_words(settings_with, mini_data):
    record = training.run(settings_with(*SHORT, "vectors.file=none", "model=s2t"))
    run = open_run(record.id, [f"paths.data={mini_data}"])
    known = run.words_by_row[2]
    tokens = torch.tensor(run.tokens([f"{known} zyx"]).tokens)
    x = run.task.words(tokens)
    assert x[0].abs().max() > 0
    assert not x[1].any()
    assert not list(vectors_deviation(record.data))


def test_the_choice_none_has_no_file():
    vectors = compose(["scale=paper", "vectors=none", "vectors.size=50"]).vectors
    assert (vectors.file, vectors.size, vectors.expected) == ("none", 50, None)
    assert compose(["scale=mini", "vectors=none"]).vectors.file == "none"
    assert compose(["scale=mini", "vectors=none", "vectors.file=glove/glove.mini.24d.txt"]).vectors.file != "none"
    assert compose(["scale=mini", "vectors=none"]).vectors.size == compose(["scale=mini"]).vectors.size


def test_the_list_of_files_does_not_name_it(home, cli):
    assert "none: no such data set and no such word vectors" in cli.error("data", "list", "none")


def test_a_missing_file_of_ones_own_is_to_be_put_there(tmp_path):
    vectors = compose(["scale=paper", "vectors.file=mine.txt", "vectors.size=50"]).vectors
    with pytest.raises(
        MissingFileError, match=r"neither mine.txt nor mine.txt.xz is there; put the file there, or correct vectors"
    ):
        vectors_input(vectors, tmp_path).check()
    shipped = compose(["scale=paper", "vectors=glove_42b"]).vectors
    with pytest.raises(MissingFileError, match=r"is there; `attest data list` says where to get it"):
        vectors_input(shipped, tmp_path).check()
