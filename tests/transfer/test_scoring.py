"""The features of a pair, and the metrics of predictions, by hand. (test_evaluate.py: whole tasks.)"""

import numpy as np
import pytest

from attest.errors import EncodingError
from attest.transfer.scoring import cosines, f1, features
from attest.transfer.task_data import SplitExamples
from attest.transfer.vector_cache import SentenceVectors

VECTORS = {"u": (2.0, 3.0), "v": (5.0, 1.0), "large": (1e30, 0.0)}


@pytest.fixture
def sentence_vectors():
    sentence_vectors = SentenceVectors(lambda sentences: np.array([VECTORS[sentence] for sentence in sentences]))
    sentence_vectors.encode_missing(list(VECTORS))
    return sentence_vectors


def test_the_features_of_a_pair_are_the_absolute_difference_and_the_product(sentence_vectors):
    pairs = SplitExamples((["u", "v"], ["v", "u"]), np.zeros(2, int))
    assert features(pairs, sentence_vectors).tolist() == [[3, 2, 10, 3], [3, 2, 10, 3]]


def test_the_features_of_a_sentence_are_its_vector(sentence_vectors):
    assert features(SplitExamples((["v", "u"],), np.zeros(2, int)), sentence_vectors).tolist() == [[5, 1], [2, 3]]


def test_products_too_large_for_their_type_are_refused(sentence_vectors):
    with pytest.raises(EncodingError, match=r"hold numbers up to 1e\+30, whose products are infinite; scale"):
        features(SplitExamples((["large"], ["large"]), np.zeros(1, int)), sentence_vectors)


def test_f1_is_that_of_class_1():
    """One true positive, one false positive, two false negatives; that of class 0 would be 4 / 7."""
    assert f1(np.array([1, 1, 1, 0, 0, 0]), np.array([1, 0, 0, 1, 0, 0])) == 40.0
    assert f1(np.array([0, 0]), np.array([0, 0])) == 0.0


def test_cosines_by_hand():
    u, v = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 0.0]]), np.array([[4.0, 3.0], [-2.0, 0.0], [1.0, 1.0]])
    assert cosines(u, v) == pytest.approx([24 / 25, -1, 0])
