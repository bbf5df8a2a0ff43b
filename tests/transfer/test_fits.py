"""The number of fits of an evaluation, against the fits that small evaluations really make."""

import pytest

from attest.config.flat import flatten
from attest.transfer import TASKS, Sklearn, Torch, Transfer, evaluate
from attest.transfer.fits import fit_count
from attest.transfer.settings import recorded_protocol


def lengths(sentences):
    return [[len(sentence), sentence.count(" ")] for sentence in sentences]


@pytest.mark.parametrize("folds", [2, 3])
def test_as_many_fits_are_counted_as_are_made(mini_data, monkeypatch, folds):
    """A task with nested folds, one with folds of its training set, and one with a dev set."""
    settings, fitted, predictions = Transfer(folds=folds, jobs=1), [], Sklearn.predictions
    monkeypatch.setattr(Sklearn, "predictions", lambda *fit: fitted.append(fit) or predictions(*fit))
    for name in ("CR", "TREC", "SICK-E"):
        fitted.clear()
        evaluate(lengths, [name], mini_data, settings)
        assert fit_count(name, settings) == len(fitted)


def test_each_network_that_is_trained_is_a_fit(mini_data):
    """No network stops before its last pass, so that all are counted as not converged."""
    settings = Transfer(classifier=Torch(epoch_size=1, max_epochs=1), folds=2, jobs=1)
    outcomes = evaluate(lengths, ["CR", "SICK-E"], mini_data, settings)
    assert {name: fit_count(name, settings) for name in outcomes} == {
        name: outcome.cut_off for name, outcome in outcomes.items()
    }


def test_the_fits_of_a_whole_evaluation_with_ten_folds():
    assert sum(fit_count(name, Transfer()) for name in TASKS) == 4 * 610 + 2 * 71 + 3 * 7 == 2603
    assert fit_count("SICK-R", Transfer()) == fit_count("STS14", Transfer()) == 0


@pytest.mark.parametrize("settings", [Transfer(), Transfer(classifier=Torch(hidden=50), folds=5, seed=3)])
def test_the_protocol_of_a_record_is_that_of_the_evaluation(settings):
    assert recorded_protocol({"encoder": "x", "tasks": ["CR"], **flatten(settings)}) == settings
