"""Each sentence is encoded once, and what an encoder gives is looked at."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attest.errors import EncodingError, StorageError
from attest.transfer.vector_cache import SentenceVectors, key_of


class Counting:
    """Length, and a number of its own for each sentence; takes notes of what it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, sentences):
        self.asked.append(list(sentences))
        return np.array([[len(sentence), key_of(sentence)[0]] for sentence in sentences])


def test_each_sentence_once_and_short_ones_first():
    encode = Counting()
    sentence_vectors = SentenceVectors(encode, batch_size=2)
    steps = []
    observers = [SimpleNamespace(step=steps.append)]
    sentence_vectors.encode_missing(["b b b", "a", "", "a", "c c"], observers)
    assert encode.asked == [["", "a"], ["c c", "b b b"]]
    assert steps == [2, 4]
    sentence_vectors.encode_missing(["a", "new", "b b b"])
    assert encode.asked[2:] == [["new"]]
    vectors = sentence_vectors(["b b b", "", "new", "b b b"])
    assert vectors[:, 0].tolist() == [5, 0, 3, 5]
    assert (vectors.dtype, sentence_vectors.width) == (np.float32, 2)


def test_a_folder_keeps_them_for_another_process(tmp_path, monkeypatch):
    monkeypatch.setattr("attest.transfer.vector_cache.SENTENCES_PER_FILE", 2)
    first = SentenceVectors(Counting(), tmp_path / "v")
    first.encode_missing(["a", "b b", "", "d d d"])
    encode = Counting()
    second = SentenceVectors(encode, tmp_path / "v")
    second.encode_missing(["d d d", "a", "x"])
    assert encode.asked == [["x"]]
    assert (second(["d d d", "b b"]) == first(["d d d", "b b"])).all()


def test_of_two_processes_that_encode_the_same_sentences_one_does(tmp_path, monkeypatch):
    """Each of two evaluations of an encoder, such as those by two classifiers, encoded all sentences."""
    monkeypatch.setattr("attest.transfer.vector_cache.SENTENCES_PER_FILE", 2)
    sentences = ["a", "b b", "", "d d d"]
    encode = Counting()
    first, second = SentenceVectors(encode, tmp_path), SentenceVectors(encode, tmp_path)
    first.encode_missing(sentences)
    encode.asked.clear()
    second.encode_missing([*sentences, "e e e e"])
    assert encode.asked == [["e e e e"]]
    assert (second(sentences) == first(sentences)).all()


def test_what_was_encoded_before_an_end_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("attest.transfer.vector_cache.SENTENCES_PER_FILE", 2)
    encode = Counting()

    def breaks(sentences):
        if len(encode.asked) == 2:
            raise KeyboardInterrupt
        return encode(sentences)

    with pytest.raises(KeyboardInterrupt):
        SentenceVectors(breaks, tmp_path, batch_size=1).encode_missing(["a", "b b", "c c c"])
    assert len(SentenceVectors(encode, tmp_path).missing(["a", "b b", "c c c"])) == 1


def test_damaged_files_are_named(tmp_path):
    SentenceVectors(Counting(), tmp_path).encode_missing(["a"])
    keys, vectors = sorted(tmp_path.iterdir(), key=lambda path: len(path.name), reverse=True)
    vectors.write_bytes(vectors.read_bytes()[:50])
    with pytest.raises(StorageError, match=r"not a readable array"):
        SentenceVectors(Counting(), tmp_path)
    for array in (np.zeros((2, 2), np.float32), np.zeros(1, np.float32), np.zeros((), np.float32)):
        np.save(vectors, array)
        with pytest.raises(StorageError, match="have different widths or numbers"):
            SentenceVectors(Counting(), tmp_path)
    assert keys.name.endswith(".keys.npy")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros((2, 3)), r"shape \(2, 3\) for 3 sentences; it has to return a row for each"),
        (np.zeros(3), r"shape \(3,\) for 3 sentences"),
        (np.zeros((3, 0)), r"shape \(3, 0\)"),
        (np.zeros((3, 2, 2)), r"shape \(3, 2, 2\)"),
        ([[1, 2], [3, 4], [5]], "returned list, not an array of numbers"),
        (["x", "y", "z"], "returned list, not an array of numbers"),
        (np.array([[0, 0], [0, 0], [np.nan, 0]]), "not finite for 'b b'"),
        (np.array([[np.inf, 0], [0, 0], [0, 0]]), "not finite for the empty sentence"),
        (np.full((3, 2), 1e300), "not finite"),
        (torch.ones(3, 2, requires_grad=True), "returned Tensor, not an array of numbers"),
    ],
)
def test_vectors_that_cannot_be_used(given, message):
    with pytest.raises(EncodingError, match=message) as caught:
        SentenceVectors(lambda sentences: given).encode_missing(["a", "", "b b"])
    assert "\n" not in str(caught.value)


def test_tensors_are_arrays_too():
    sentence_vectors = SentenceVectors(lambda sentences: torch.ones(len(sentences), 3))
    sentence_vectors.encode_missing(["a"])
    assert sentence_vectors(["a"]).tolist() == [[1, 1, 1]]


def test_an_encoder_may_reuse_its_array():
    buffer = np.zeros((2, 1), np.float32)

    def encode(sentences):
        buffer[: len(sentences), 0] = [len(sentence) for sentence in sentences]
        return buffer[: len(sentences)]

    sentence_vectors = SentenceVectors(encode, batch_size=2)
    sentence_vectors.encode_missing(["a", "bb", "ccc"])
    assert sentence_vectors(["a", "bb", "ccc"])[:, 0].tolist() == [1, 2, 3]


def test_the_width_has_to_stay(tmp_path):
    with pytest.raises(EncodingError, match=r"vectors of 1 numbers, and then of 3"):
        SentenceVectors(lambda sentences: np.zeros((1, len(sentences[0]))), batch_size=1).encode_missing(["a", "a b"])
    SentenceVectors(Counting(), tmp_path).encode_missing(["a"])
    with pytest.raises(EncodingError, match=r"vectors of 5 numbers, and .* holds those of 2; give each"):
        SentenceVectors(lambda sentences: np.zeros((len(sentences), 5)), tmp_path).encode_missing(["b"])
