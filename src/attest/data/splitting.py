"""Which examples play which part: every run has a training set, a dev set that chooses, and a test set.

Sets without splits are cut into folds, or the seed draws splits from them. Sets without a dev set lend one from the
training set, or, as some authors did, look at the test set instead. Of a training set the seed may draw a part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from attest.config.settings import Protocol
from attest.data.corpus import Corpus
from attest.data.folds import hold_out, random_folds
from attest.data.split import SPLITS, Split
from attest.errors import SettingsError

POOL = "all"
FOLDS_SEED = 0
"""All folds of one set are cuts of one order, whichever fold and seed a run has."""


def arrange_splits(corpus: Corpus, protocol: Protocol, seed: int) -> Corpus:
    """The same corpus with the splits train, dev and test; further ones keep their names."""
    splits, facts = dict(corpus.splits), corpus.facts
    if POOL in splits and protocol.drawn is not None:
        if protocol.fold is not None:
            raise SettingsError("protocol.fold: protocol.drawn draws splits by the seed; choose one of the two")
        splits |= draw_splits(splits.pop(POOL), protocol.drawn, seed)
        facts = {**facts, "drawn": {name: len(splits[name]) for name in SPLITS}}
    elif POOL in splits:
        splits["train"], splits["test"] = split_by_fold(splits.pop(POOL), protocol)
    elif protocol.fold is not None:
        raise SettingsError(f"protocol.fold: this set has splits of its own ({', '.join(splits)}), and no folds")
    if "dev" not in splits:
        splits = add_dev(splits, protocol, seed)
    if protocol.examples is not None:
        splits["train"] = draw_examples(splits["train"], protocol.examples, seed)
        facts = {**facts, "examples": len(splits["train"])}
    return replace(corpus, splits=splits, facts=facts)


def draw_splits(pool: Split, sizes: Sequence[int], seed: int) -> dict[str, Split]:
    """Training, dev and test set, drawn at random; of a pool that is too small, as `protocol.drawn` says."""
    if len(sizes) != len(SPLITS):
        raise SettingsError(f"protocol.drawn: expected the sizes of {', '.join(SPLITS)}; got {len(sizes)} numbers")
    train, dev, test = sizes
    if train + dev + test > len(pool):
        dev, test = min(dev, len(pool) // 10), min(test, len(pool) // 10)
        train = len(pool) - dev - test
    shuffled = np.random.default_rng(seed).permutation(len(pool))
    ends = np.cumsum([train, dev, test])
    return {
        name: pool.select(np.sort(part))
        for name, part in zip(SPLITS, np.split(shuffled, ends)[: len(SPLITS)], strict=True)
    }


def draw_examples(split: Split, examples: int, seed: int) -> Split:
    """The first so many of all in an order that the seed alone draws; all where there are not so many."""
    shuffled = np.random.default_rng([seed, *b"examples"]).permutation(len(split))
    return split.select(np.sort(shuffled[:examples]))


def split_by_fold(pool: Split, protocol: Protocol) -> tuple[Split, Split]:
    fold = protocol.fold or 0
    if fold >= protocol.folds:
        raise SettingsError(f"protocol.fold: {fold} is not one of {protocol.folds} folds, which count from 0")
    return hold_out(pool, random_folds(len(pool), protocol.folds, FOLDS_SEED), fold)


def add_dev(splits: Mapping[str, Split], protocol: Protocol, seed: int) -> dict[str, Split]:
    if protocol.missing_dev == "test":
        return {**splits, "dev": splits["test"]}
    train = splits["train"]
    shuffled = np.random.default_rng([seed, protocol.fold or 0]).permutation(len(train))
    in_dev = shuffled < protocol.dev_fraction * len(train)
    parts = {"train": train.select(np.flatnonzero(~in_dev)), "dev": train.select(np.flatnonzero(in_dev))}
    return {**splits, **parts}
