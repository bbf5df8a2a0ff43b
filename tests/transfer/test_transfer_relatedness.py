"""When the model of SICK-R stops, and which of its weights it keeps, with correlations that are given."""

import numpy as np
import pytest

from attest.transfer import relatedness
from attest.transfer.classifiers import LabelledVectors


@pytest.fixture
def train_with(monkeypatch):
    """Return a function that trains on a few pairs, whose r on dev are the given numbers, one a round."""

    def train(correlations):
        rest, rounds = iter(correlations), []

        def pearson(predicted, gold):
            rounds.append(predicted)
            return next(rest)

        monkeypatch.setattr(relatedness, "pearson", pearson)
        x_NW = np.random.default_rng(0).normal(size=(8, 3)).astype(np.float32)
        pairs = LabelledVectors(x_NW, np.linspace(1, 5, 8))
        return (*relatedness.predict_scores(pairs, pairs, x_NW, seed=1), rounds)

    return train


def test_the_fourth_round_without_a_new_best_ends_the_training(train_with):
    """Consecutive or not, and an equal r is no new best; the grades are those of the best round."""
    best, grades_N, rounds = train_with([0.1, 0.0, 0.1, 0.5, 0.4, 0.5, 0.9])
    assert (best, len(rounds)) == (0.5, 6)
    np.testing.assert_array_equal(grades_N, rounds[3])


def test_without_such_rounds_the_limit_of_epochs_ends_it(train_with):
    """21 rounds of 50 epochs, since the limit of 1,000 is looked at after a round."""
    best, _, rounds = train_with(np.linspace(0.1, 0.9, 40).tolist())
    assert len(rounds) == 21
    assert best == pytest.approx(0.1 + 20 * 0.8 / 39)
