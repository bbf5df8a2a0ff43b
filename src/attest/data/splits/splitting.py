"""Splitting: every run gets a training set, a dev set and a test set.

Data sets without splits are cut into folds, or split at random by the seed. The dev set of a data set without one is
split off the training set, or is the test set, as some authors did. Training sets may be reduced to a random sample.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from attest.config.settings import Protocol
from attest.data.corpus import Corpus
from attest.data.splits.folds import hold_out, random_folds
from attest.data.splits.split import POOL, SPLITS, Split
from attest.errors import SettingsError
from attest.system.chance import generator

FOLDS_SEED = 0
"""The seed of the folds, which do not depend on the seed of the run."""


def arrange_splits(corpus: Corpus, protocol: Protocol, seed: int) -> Corpus:
    """Return the corpus with the splits train, dev and test; other splits keep their names."""
    splits, facts = dict(corpus.splits), corpus.facts
    if POOL in splits and protocol.drawn is not None:
        if key := key_of_folds(protocol):
            raise SettingsError(f"protocol.{key}: protocol.drawn draws splits by the seed; choose one of the two")
        if splits[POOL].folds is not None:
            raise SettingsError("protocol.drawn: the data set has a column of folds; leave it out")
        splits |= draw_splits(splits.pop(POOL), protocol.drawn, seed)
        facts = {**facts, "drawn": {name: len(splits[name]) for name in SPLITS}}
    elif POOL in splits:
        pool = splits.pop(POOL)
        splits["train"], splits["test"] = split_by_fold(pool, protocol)
        if pool.folds is not None:
            facts = {**facts, "folds": len(np.unique(pool.folds))}
    elif key := key_of_folds(protocol):
        raise SettingsError(f"protocol.{key}: the data set has splits ({', '.join(splits)}) and no folds; leave it out")
    elif protocol.drawn is not None:
        raise SettingsError(
            f"protocol.drawn: the data set has splits ({', '.join(splits)}) already; type protocol.drawn=null"
        )
    for name in ("train", "test"):
        if name not in splits:
            raise SettingsError(f"dataset.files.{name}: missing; the data set has only {', '.join(splits)}, and a run "
                                f"needs train and test, or one file named {POOL} that is cut into folds")  # fmt: skip
    if protocol.dev_fraction != Protocol.dev_fraction and (reason := reason_to_hold_out_nothing(splits, protocol)):
        raise SettingsError(f"protocol.dev_fraction: {reason}, so nothing is held out; leave it out")
    if "dev" not in splits:
        splits = add_dev(splits, protocol, seed)
    if not len(splits["train"]):
        raise SettingsError(
            "dataset.files: no training example is left beside those that dev gets; name a file for dev, or set "
            "protocol.missing_dev=test"
        )
    for name in SPLITS[1:]:
        if not len(splits[name]):
            raise SettingsError(f"dataset.files: no example is left for {name}; name a file for it")
    if protocol.examples is not None:
        splits["train"] = draw_examples(splits["train"], protocol.examples, seed)
        facts = {**facts, "examples": len(splits["train"])}
    return replace(corpus, splits=splits, facts=facts)


def key_of_folds(protocol: Protocol) -> str | None:
    """Return the name of a setting of the protocol that only data sets with folds use, if one is set."""
    if protocol.fold is not None:
        return "fold"
    return None if protocol.folds == Protocol.folds else "folds"


def reason_to_hold_out_nothing(splits: Mapping[str, Split], protocol: Protocol) -> str | None:
    """Return why no part of the training set is held out for dev; None if a part is."""
    if protocol.drawn is not None:
        return "protocol.drawn draws the dev set"
    if "dev" in splits:
        return "the data set has a dev set of its own"
    return "protocol.missing_dev=test makes the test set the dev set" if protocol.missing_dev == "test" else None


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
    shuffled = generator(seed, "drawn sets").permutation(len(pool))
    ends = np.cumsum([train, dev, test])
    return {
        name: pool.select(np.sort(indices))
        for name, indices in zip(SPLITS, np.split(shuffled, ends)[: len(SPLITS)], strict=True)
    }


def draw_examples(split: Split, examples: int, seed: int) -> Split:
    """Return a random sample of `examples` examples, or all of them if there are fewer.

    With the same seed, a smaller sample is part of every larger one.
    """
    shuffled = generator(seed, "sample of examples").permutation(len(split))
    return split.select(np.sort(shuffled[:examples]))


def split_by_fold(pool: Split, protocol: Protocol) -> tuple[Split, Split]:
    """Return the training set and the test set when the fold of the protocol is held out.

    Folds are those of the data set's column, of which the first is that with the smallest number, or random ones.
    """
    if pool.folds is not None:
        known = np.unique(pool.folds).tolist()
        fold = known[0] if protocol.fold is None else protocol.fold
        if protocol.folds != Protocol.folds:
            raise SettingsError("protocol.folds: the data set has a column of folds; leave it out")
        if len(known) < 2 or fold not in known:
            raise SettingsError(
                f"protocol.fold: {fold} is none of two or more folds in the data set's column, which names "
                f"{', '.join(map(str, known[:20]))}"
            )
        return hold_out(pool, pool.folds, fold)
    fold = protocol.fold or 0
    if fold >= protocol.folds:
        raise SettingsError(f"protocol.fold: {fold} is not one of {protocol.folds} folds, which count from 0")
    if protocol.folds > len(pool):
        raise SettingsError(
            f"protocol.folds: {len(pool)} examples cannot be cut into {protocol.folds} folds; choose fewer folds"
        )
    return hold_out(pool, random_folds(len(pool), protocol.folds, FOLDS_SEED), fold)


def add_dev(splits: Mapping[str, Split], protocol: Protocol, seed: int) -> dict[str, Split]:
    """Return the splits with a dev set: the test set, or a random part of the training set."""
    if protocol.missing_dev == "test":
        return {**splits, "dev": splits["test"]}
    train = splits["train"]
    shuffled = generator(seed, "held-out dev", protocol.fold or 0).permutation(len(train))
    in_dev = shuffled < protocol.dev_fraction * len(train)
    return {**splits, "train": train.select(np.flatnonzero(~in_dev)), "dev": train.select(np.flatnonzero(in_dev))}
