"""Our protocol beside SentEval's own classes on the same random features.

oracles/senteval.npz holds what facebookresearch/SentEval (5d6dc11) answered, run once under scikit-learn 1.9.1 and
torch 2.13 on a CPU: its three ways of cross-validation with each classifier, its relatedness and its STS tasks. Nothing
in it was changed but `.cuda()`, and the solver where liblinear is asked for.
"""

import numpy as np
import pytest
import torch
from places import ORACLES

from attest.system.correlation import pearson
from attest.transfer.classifiers import LabelledVectors, Sklearn
from attest.transfer.cross_validation import k_fold_problems, nested_problems, solve, split_problems
from attest.transfer.network import Torch
from attest.transfer.relatedness import predict_scores
from attest.transfer.scoring import accuracy, correlations, cosines, mean

BRIEF = {"max_epochs": 24, "tenacity": 2, "epoch_size": 2, "batch_size": 16}
CLASSIFIERS = {
    "lbfgs": Sklearn(),
    "liblinear": Sklearn(solver="liblinear"),
    "torch": Torch(**BRIEF),
    "hidden": Torch(hidden=4, dropout=0.2, **BRIEF),
}
DESIGNS = ("nested", "k-fold", "split")


@pytest.fixture(scope="module")
def oracle():
    with np.load(ORACLES / "senteval.npz") as arrays:
        return {name: arrays[name] for name in arrays.files}


def answered(design, classifier, oracle):
    """Dev and test accuracy and the last problem's answers."""
    two = design == "nested"
    data = LabelledVectors(oracle["x2"], oracle["y2"]) if two else LabelledVectors(oracle["x3"], oracle["y3"])
    seed = 5 if design == "k-fold" else 1111
    problems = {
        "nested": lambda: nested_problems(data.y_N, 3),
        "k-fold": lambda: k_fold_problems(data.y_N, 250, 3, seed),
        "split": lambda: split_problems(data.y_N, 200, 50),
    }[design]()
    solved, _ = solve(problems, data, 2 if two else 3, classifier, classifier.grid(design), seed, jobs=1)
    figures = mean([solution.dev for solution in solved]), accuracy(problems, solved, data.y_N)
    return figures, solved[-1].predictions


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("design", DESIGNS)
def test_every_classifier_in_every_design(design, name, oracle):
    figures, said = answered(design, CLASSIFIERS[name], oracle)
    # Equal where this was written; another processor may round one example to the other side.
    tolerance = 0.01 if name in ("lbfgs", "liblinear") else 1.3
    assert figures == pytest.approx(oracle[f"{name}_{design.replace('-', '')}"], abs=tolerance)
    if design == "k-fold":
        assert (said == oracle[f"{name}_kfold_said"]).mean() > 0.98


def test_relatedness(oracle):
    x, y = oracle["xr"], oracle["yr"]
    dev, said = predict_scores(
        LabelledVectors(x[:80], y[:80]), LabelledVectors(x[80:110], y[80:110]), x[110:], seed=1111
    )
    assert dev == pytest.approx(float(oracle["graded_dev"]), abs=1e-4)
    assert said == pytest.approx(oracle["graded_said"], abs=1e-3)


def test_similarity_and_both_of_its_means(oracle):
    parts = {"a": slice(20), "b": slice(20, None)}
    said = {name: cosines(oracle["u"][part], oracle["v"][part]) for name, part in parts.items()}
    assert said["a"][3] == 0  # of a zero vector
    found = correlations(said, {name: oracle["s"][part] for name, part in parts.items()})
    keys = ("pearson/mean", "pearson/weighted", "spearman/mean", "spearman/weighted")
    assert [found[key] for key in keys] == pytest.approx(oracle["alike"], abs=1e-12)


def test_what_does_not_vary_is_related_to_nothing():
    assert pearson(np.ones(5), np.arange(5.0)) == 0


def test_models_leave_the_random_numbers_of_the_process_and_of_gpus_as_they_were(monkeypatch):
    seeds_of_gpus, before = [], torch.get_rng_state()
    monkeypatch.setattr(torch.cuda, "manual_seed_all", seeds_of_gpus.append)
    monkeypatch.setattr("attest.transfer.relatedness.MAX_EPOCHS", 0)
    x_NW = np.eye(8, dtype=np.float32)
    graded, classed = LabelledVectors(x_NW, np.linspace(1, 5, 8)), LabelledVectors(x_NW, np.arange(8) % 2)
    predict_scores(graded, graded, x_NW, seed=1111)
    classifier = Torch(max_epochs=1, epoch_size=1, hidden=2, dropout=0.5)
    classifier.scores((1e-3,), classed, classed, 2, seed=1111)
    classifier.predictions(1e-3, classed, classed, x_NW, 2, seed=1111)
    assert not seeds_of_gpus
    assert torch.get_rng_state().equal(before)
