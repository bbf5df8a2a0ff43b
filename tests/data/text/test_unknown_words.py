"""Vectors from the words around a word, by hand, by the authors' own loop, and in a prepared corpus."""

import json
import math

import numpy as np
import pytest
import torch
from write_file import write_file

from attest.config.compose import compose
from attest.data.prepare import prepare
from attest.data.splits.split import Ragged
from attest.data.text.unknown_words import fill_from_neighbours
from attest.models.word_vectors import WordVectors

NAN = math.nan
# Padding, unknown, two known words, three without a vector.
TABLE = np.array([[0, 0], [0, 0], [1, 2], [4, 8], [NAN, NAN], [NAN, NAN], [NAN, NAN]], np.float32)


def test_the_mean_over_all_sentences_by_hand():
    filled = fill_from_neighbours(
        TABLE, [Ragged.from_lists([[2, 4, 3], [4, 2], [5], []]), Ragged.from_lists([[1, 5, 6]])]
    )
    np.testing.assert_array_equal(filled[:4], TABLE[:4])
    assert filled[4].tolist() == [2, 4]  # of 1, 4 and 1: the known words of both sentences
    assert np.isnan(filled[5:]).all()  # alone, among unknown words, and beside the zero vector
    assert np.isnan(TABLE[4]).all()


def test_a_word_that_stands_twice_counts_its_neighbours_twice():
    filled = fill_from_neighbours(TABLE, [Ragged.from_lists([[4, 2, 4], [4, 3]])])
    assert filled[4].tolist() == [2, 4]  # (1 + 1 + 4) / 3
    filled = fill_from_neighbours(TABLE, [Ragged.from_lists([[4, 2, 2], [4, 3]])])
    assert filled[4].tolist() == [2, 4]


def test_the_same_as_the_authors_loop_however_it_is_cut(monkeypatch):
    rng = np.random.default_rng(0)
    table = rng.normal(size=(30, 5)).astype(np.float32)
    table[:2], table[rng.choice(np.arange(2, 30), 12, replace=False)] = 0, NAN
    texts = [[list(rng.integers(1, 30, rng.integers(0, 9))) for _ in range(50)] for _ in range(2)]
    around: dict[int, list[np.ndarray]] = {}
    for sentence in (sentence for text in texts for sentence in text):
        for word in sentence:
            if np.isnan(table[word]).any():
                known = [table[other] for other in sentence if other > 1 and not np.isnan(table[other]).any()]
                around.setdefault(word, []).extend(known)
    for chunk in (7, 2**16):
        monkeypatch.setattr("attest.data.text.unknown_words.CHUNK", chunk)
        filled = fill_from_neighbours(table, [Ragged.from_lists(text) for text in texts])
        for word, vectors in around.items():
            np.testing.assert_allclose(filled[word], sum(vectors) / len(vectors), rtol=1e-5)


SENTENCES = {"train": ("the cat zeds", "qq"), "dev": ("cat yak yak", "the"), "test": ("vex the", "qq ww")}
VECTORS = {"the": 1, "cat": 3}


@pytest.fixture
def data(tmp_path):
    for split, (one, two) in SENTENCES.items():
        row = {"gold_label": "neutral", "sentence1": one, "sentence2": two}
        write_file(tmp_path / f"data/snli/snli_1.0_{split}.jsonl", json.dumps(row) + "\n")
    lines = [f"{word} {value} {-value}\n" for word, value in VECTORS.items()]
    write_file(tmp_path / "data/glove/glove.840B.300d.txt", "".join(lines))
    return tmp_path / "data"


def test_words_of_all_splits_have_vectors_and_neighbours_in_all(data):
    settings = compose(["scale=paper", "experiment=ssa/authors/snli", f"paths.data={data}", "vectors.size=2"])
    assert (settings.vectors.unknown, settings.vectors.unknown_range) == ("neighbours", 0.01)
    corpus = prepare(settings)
    assert corpus.words[2:] == ["the", "cat", "zeds", "qq", "yak", "vex", "ww"]
    assert corpus.training_words == 4
    first = dict(zip(corpus.words, corpus.vectors[:, 0].tolist(), strict=True))
    assert (first["zeds"], first["yak"], first["vex"]) == (2, 3, 1)
    assert [word for word, value in first.items() if math.isnan(value)] == ["qq", "ww"]
    assert corpus.facts["vectors"]["from_neighbours"] == 3
    assert [corpus.words[i] for i in corpus.splits["test"].sentences[1].tokens] == ["qq", "ww"]
    plain = prepare(compose(["scale=paper", "experiment=ssa/snli", f"paths.data={data}", "vectors.size=2"]))
    assert plain.words[2:] == ["the", "cat", "zeds", "qq"]  # another cache, and as before


def test_words_without_neighbours_start_normal():
    table = torch.full((3002, 2), NAN)
    table[:2] = 0
    words = WordVectors(table, 10, trainable=True, unknown="neighbours", unknown_range=0.01, sparse=False)
    assert words.fixed.std().item() == pytest.approx(0.01, rel=0.1)
    assert words.fixed.abs().max() > 0.02


@pytest.mark.parametrize("name", ["snli", "yelp", "age"])
def test_the_authors_experiments_follow_it(name):
    settings = compose(["scale=paper", f"experiment=ssa/authors/{name}"])
    assert (settings.vectors.unknown, settings.vectors.unknown_range) == ("neighbours", 0.01)
    assert bool(settings.text.strip_characters) == (name == "snli")  # as oov_vec.py and oov_vec_nlc.py have it
