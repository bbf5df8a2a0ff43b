"""The pool of a data set without splits: it is cut into folds, or split at random by the seed."""

from collections.abc import Sequence

import numpy as np

from attest.config.settings import Protocol
from attest.data.splits.folds import hold_out, random_folds
from attest.data.splits.split import SPLITS, Split
from attest.errors import SettingsError
from attest.system.random_streams import numpy_generator

FOLDS_SEED = 0
"""The seed of the folds, which do not depend on the seed of the run."""


def divide_pool(pool: Split, protocol: Protocol, seed: int) -> tuple[dict[str, Split], dict[str, object]]:
    """Return the splits of a pool, drawn by the seed or with one fold as the test set, and facts for the record."""
    if protocol.drawn is None:
        train, test = split_by_fold(pool, protocol)
        facts: dict[str, object] = {} if pool.folds is None else {"folds": len(np.unique(pool.folds))}
        return {"train": train, "test": test}, facts
    if key := fold_setting(protocol):
        raise SettingsError(f"protocol.{key}: protocol.drawn draws splits by the seed; choose one of the two")
    if pool.folds is not None:
        raise SettingsError(
            "protocol.drawn: not possible, since the data set names the fold of each example in a column; "
            "type protocol.drawn=null"
        )
    splits = draw_splits(pool, protocol.drawn, seed)
    return splits, {"drawn": {name: len(splits[name]) for name in SPLITS}}


def fold_setting(protocol: Protocol) -> str | None:
    """Return the name of the first protocol setting about folds that is set, or None."""
    if protocol.fold is not None:
        return "fold"
    return None if protocol.folds == Protocol.folds else "folds"


def draw_splits(pool: Split, sizes: Sequence[int], seed: int) -> dict[str, Split]:
    """Return random training, dev and test sets of the given sizes.

    From a pool that is too small, dev and test get at most a tenth each, and the training set gets the rest.
    """
    if len(sizes) != len(SPLITS):
        raise SettingsError(f"protocol.drawn: expected the sizes of {', '.join(SPLITS)}; got {len(sizes)} numbers")
    train, dev, test = sizes
    if train + dev + test > len(pool):
        dev, test = min(dev, len(pool) // 10), min(test, len(pool) // 10)
        train = len(pool) - dev - test
    shuffled = numpy_generator(seed, "drawn sets").permutation(len(pool))
    ends = np.cumsum([train, dev, test])
    return {
        name: pool.select(np.sort(indices))
        for name, indices in zip(SPLITS, np.split(shuffled, ends)[: len(SPLITS)], strict=True)
    }


def split_by_fold(pool: Split, protocol: Protocol) -> tuple[Split, Split]:
    """Return the training set and the test set when the fold of the protocol is held out.

    Folds are those of the data set's column, of which the first is that with the smallest number, or random ones.
    """
    if pool.folds is not None:
        known = np.unique(pool.folds).tolist()
        fold = known[0] if protocol.fold is None else protocol.fold
        if protocol.folds != Protocol.folds:
            raise SettingsError(
                "protocol.folds: not possible, since the data set names the fold of each example in a column; "
                "remove protocol.folds"
            )
        if len(known) < 2:
            raise SettingsError(
                f"dataset.columns.fold: the column names only fold {known[0]}; a run needs two folds or more"
            )
        if fold not in known:
            raise SettingsError(
                f"protocol.fold: {fold} is not a fold of the data set; choose one of {', '.join(map(str, known[:20]))}"
            )
        return hold_out(pool, pool.folds, fold)
    fold = protocol.fold or 0
    if fold >= protocol.folds:
        raise SettingsError(f"protocol.fold: expected 0 to {protocol.folds - 1}, got {fold}")
    if protocol.folds > len(pool):
        raise SettingsError(
            f"protocol.folds: {len(pool)} examples cannot be cut into {protocol.folds} folds; choose fewer folds"
        )
    return hold_out(pool, random_folds(len(pool), protocol.folds, FOLDS_SEED), fold)
