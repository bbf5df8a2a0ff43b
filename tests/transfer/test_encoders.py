import sys
from types import SimpleNamespace

import numpy as np
import pytest

from attest.data.readers import find_source
from attest.errors import SettingsError
from attest.transfer.encoders import Average, baseline_encoder, sentence_transformer


@pytest.fixture
def source(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\ncat 3 -4\nParis 7 7\n")
    return find_source(tmp_path, "v.txt")


def test_averages_and_largest_values_by_hand(source):
    sentences = ["a cat", "A cat cat", "unknown words", ""]
    average = baseline_encoder("average", source, 2, sentences)
    assert average.encode(sentences).tolist() == [[2, -1], pytest.approx([7 / 3, -2]), [0, 0], [0, 0]]
    both = baseline_encoder("average_max", source, 2, sentences).encode(sentences)
    assert both[0].tolist() == [2, -1, 3, 2]
    assert both.shape == (4, 4)
    assert both[2:].tolist() == [[0] * 4] * 2


def test_an_encoder_is_known_by_its_kind_and_its_file(source, tmp_path):
    one = baseline_encoder("average", source, 2, ["a cat"])
    assert one.identity == baseline_encoder("average", source, 2, ["other words"]).identity
    assert one.identity != baseline_encoder("average_max", source, 2, ["a cat"]).identity
    (tmp_path / "v.txt").write_text("a 1 3\n")
    assert one.identity != baseline_encoder("average", source, 2, ["a cat"]).identity


def test_a_word_as_it_stands_before_it_in_lower_case():
    average = Average({"Cat": np.array([1.0]), "cat": np.array([5.0])}, 1)
    assert average(["Cat", "cat", "CAT"]).tolist() == [[1], [5], [5]]


def test_models_of_sentence_transformers(monkeypatch):
    class Model:
        def __init__(self, name):
            self.name = name

        def encode(self, sentences, *, show_progress_bar, convert_to_numpy):
            assert (type(sentences), show_progress_bar, convert_to_numpy) == (list, False, True)
            return np.array([[len(sentence)] for sentence in sentences])

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Model))
    encoder = sentence_transformer("some/model")
    assert encoder.encode(("ab", "")).tolist() == [[2], [0]]
    assert encoder.name == "some/model"
    assert encoder.identity != sentence_transformer("other").identity


@pytest.mark.parametrize("failure", [OSError, ValueError, KeyError, RuntimeError])
def test_a_model_that_cannot_be_loaded_is_named(failure, tmp_path, monkeypatch):
    def load(name):
        raise failure("no such\nmodel")

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=load))
    with pytest.raises(SettingsError, match=rf"^some/model: .* \({failure.__name__}: .*model'?\)$"):
        sentence_transformer("some/model")
    with pytest.raises(SettingsError, match='type its path alone, without the prefix "sentence-transformers:"$'):
        sentence_transformer(str(tmp_path))


def test_without_the_package_it_says_which_one(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(SettingsError, match=r"pip install 'attest\[sentence-transformers\]'"):
        sentence_transformer("some/model")
