"""Folds of a set without splits of its own: which example is held out when. Pure functions of labels, number and seed.

Legend: N examples, K folds, C classes.
"""

import numpy as np

from attest.data.split import Split


def stratified_folds(labels: np.ndarray, number: int, seed: int) -> np.ndarray:
    """(N,) the fold of each example, each with its share of every class, as SentEval has them.

    Number for number the folds of scikit-learn's StratifiedKFold (0.22 and later) with shuffle and random_state=seed.
    """
    # Classes count in the order in which they first occur, and numpy's legacy generator does the shuffling.
    firsts, codes = np.unique(labels, return_index=True, return_inverse=True)[1:]
    classes = np.argsort(np.argsort(firsts))[codes]
    in_order = np.sort(classes)
    share_KC = [np.bincount(in_order[fold::number], minlength=len(firsts)) for fold in range(number)]
    rng = np.random.RandomState(seed)
    folds = np.empty(len(labels), np.int64)
    for kind, share_K in enumerate(np.transpose(share_KC)):
        of_class = np.repeat(np.arange(number), share_K)
        rng.shuffle(of_class)
        folds[classes == kind] = of_class
    return folds


def random_folds(size: int, number: int, seed: int) -> np.ndarray:
    """(N,) the fold of each example: shuffled and cut into equal parts, as the DiSAN authors do it."""
    folds = np.arange(size) * number // size
    return np.random.default_rng(seed).permutation(folds)


def hold_out(split: Split, folds: np.ndarray, fold: int) -> tuple[Split, Split]:
    """What is trained on and what is tested on when `fold` is held out."""
    return split.select(np.flatnonzero(folds != fold)), split.select(np.flatnonzero(folds == fold))
