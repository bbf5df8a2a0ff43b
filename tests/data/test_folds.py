import numpy as np
import pytest

from attest.data.splits.folds import hold_out, random_folds, stratified_folds
from attest.data.splits.split import Ragged, Split

LABELS = np.array([0, 1, 1, 2, 0, 1, 0, 2, 1, 1, 0, 1, 2])


@pytest.mark.parametrize(
    ("seed", "folds"),
    [
        (1111, [2, 0, 2, 2, 1, 1, 0, 1, 0, 1, 0, 2, 0]),
        (3, [2, 1, 0, 0, 0, 2, 0, 2, 2, 0, 1, 1, 1]),
    ],
)
def test_the_folds_of_scikit_learn(seed, folds):
    """StratifiedKFold(3, shuffle=True, random_state=seed) of scikit-learn 1.9.1, written down."""
    assert stratified_folds(LABELS, 3, seed).tolist() == folds
    assert stratified_folds(LABELS[::-1], 3, seed).tolist() != folds[::-1]  # the order of the examples counts


def test_each_fold_has_its_share_of_every_class():
    labels = np.random.default_rng(0).integers(0, 2, 3775)
    folds = stratified_folds(labels, 10, 1)
    for kind in (0, 1):
        sizes = np.bincount(folds[labels == kind], minlength=10)
        assert sizes.max() - sizes.min() <= 1
    assert (stratified_folds(labels, 10, 2) != folds).any()


@pytest.mark.parametrize("size", [10, 23, 3775])
def test_random_folds_are_of_one_size_and_follow_the_seed(size):
    folds = random_folds(size, 10, 1)
    sizes = np.bincount(folds, minlength=10)
    assert sizes.sum() == size
    assert sizes.max() - sizes.min() <= 1
    assert folds.tolist() == random_folds(size, 10, 1).tolist() != random_folds(size, 10, 2).tolist()


def test_each_example_is_held_out_once():
    size = len(LABELS)
    split = Split(
        (Ragged.from_lists([[i] for i in range(size)]),), LABELS, np.arange(size), np.full(size, -1, np.int16)
    )
    folds = stratified_folds(LABELS, 3, 1)
    seen = []
    for fold in range(3):
        train, test = hold_out(split, folds, fold)
        assert sorted([*train.rows, *test.rows]) == list(range(size))
        assert test.sentences[0].tokens.tolist() == test.rows.tolist()
        seen += test.rows.tolist()
    assert sorted(seen) == list(range(size))
