"""Folds for cross-validation on data sets without splits: random folds, and stratified ones.

The same seed gives the same folds for the same labels, or for the same number of examples if folds are random.

Legend: N examples, K folds, C classes.
"""

import numpy as np

from attest.data.splits.split import Split
from attest.system.random_streams import numpy_generator


def stratified_folds(labels: np.ndarray, folds: int, seed: int) -> np.ndarray:
    """Return (N,) the fold of each example. Every fold has the same share of each class, as in SentEval.

    The folds equal those of scikit-learn's StratifiedKFold (0.22 and later) with shuffle=True and random_state=seed.
    """
    # Like scikit-learn, number classes by their first example, and shuffle with numpy's legacy generator.
    firsts, codes = np.unique(labels, return_index=True, return_inverse=True)[1:]
    classes = np.argsort(np.argsort(firsts))[codes]
    in_order = np.sort(classes)
    share_KC = [np.bincount(in_order[fold::folds], minlength=len(firsts)) for fold in range(folds)]
    rng = np.random.RandomState(seed)
    fold_N = np.empty(len(labels), np.int64)
    for kind, share_K in enumerate(np.transpose(share_KC)):
        of_class = np.repeat(np.arange(folds), share_K)
        rng.shuffle(of_class)
        fold_N[classes == kind] = of_class
    return fold_N


def random_folds(size: int, folds: int, seed: int) -> np.ndarray:
    """Return (N,) the fold of each example: a random order cut into equal parts, as in the DiSAN authors' code."""
    fold_N = np.arange(size) * folds // size
    return numpy_generator(seed, "random folds").permutation(fold_N)


def hold_out(split: Split, folds: np.ndarray, fold: int) -> tuple[Split, Split]:
    """Return the training set and the test set when `fold` is held out."""
    return split.select(np.flatnonzero(folds != fold)), split.select(np.flatnonzero(folds == fold))
