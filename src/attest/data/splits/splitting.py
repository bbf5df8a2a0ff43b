"""Splitting: every run gets a training set, a dev set and a test set.

Data sets without splits are cut into folds, or split at random by the seed. The dev set of a data set without one is
split off the training set, or is the test set, as some authors did. Training sets may be reduced to a random sample.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from attest.config.settings import Protocol
from attest.data.corpus import Corpus
from attest.data.splits.pool import divide_pool, fold_setting
from attest.data.splits.split import POOL, SPLITS, Split
from attest.errors import SettingsError
from attest.system.random_streams import numpy_generator


def arrange_splits(corpus: Corpus, protocol: Protocol, seed: int) -> Corpus:
    """Return the corpus with the splits train, dev and test; other splits keep their names."""
    splits, facts = dict(corpus.splits), dict(corpus.facts)
    if POOL in splits:
        divided, pool_facts = divide_pool(splits.pop(POOL), protocol, seed)
        splits |= divided
        facts |= pool_facts
    else:
        check_needs_no_pool(splits, protocol)
    for name in ("train", "test"):
        if name not in splits:
            raise SettingsError(f"dataset.files.{name}: missing; the data set has only {', '.join(splits)}, and a run "
                                f"needs train and test, or one file named {POOL} that is cut into folds")  # fmt: skip
    if protocol.dev_fraction != Protocol.dev_fraction and (reason := reason_to_hold_out_nothing(splits, protocol)):
        raise SettingsError(f"protocol.dev_fraction: without effect, since {reason}; remove protocol.dev_fraction")
    if "dev" not in splits:
        splits = add_dev(splits, protocol, seed)
    check_not_empty(splits)
    if protocol.examples is not None:
        splits["train"] = draw_examples(splits["train"], protocol.examples, seed)
        facts["examples"] = len(splits["train"])
    return replace(corpus, splits=splits, facts=facts)


def check_needs_no_pool(splits: Mapping[str, Split], protocol: Protocol) -> None:
    """Raise SettingsError if a setting that divides a pool is set, since the data set has splits."""
    names = ", ".join(splits)
    if key := fold_setting(protocol):
        raise SettingsError(
            f"protocol.{key}: not possible, since the data set has splits ({names}) and no folds; remove protocol.{key}"
        )
    if protocol.drawn is not None:
        raise SettingsError(f"protocol.drawn: the data set has splits ({names}) already; type protocol.drawn=null")


def check_not_empty(splits: Mapping[str, Split]) -> None:
    """Raise SettingsError if one of the splits train, dev and test has no example."""
    if not len(splits["train"]):
        raise SettingsError(
            "dataset.files: no training example is left after dev has got its share; name a file for dev, or set "
            "protocol.missing_dev=test"
        )
    for name in SPLITS[1:]:
        if not len(splits[name]):
            raise SettingsError(f"dataset.files: no example is left for {name}; name a file for it")


def reason_to_hold_out_nothing(splits: Mapping[str, Split], protocol: Protocol) -> str | None:
    """Return why no part of the training set is held out for dev; None if a part is."""
    if protocol.drawn is not None:
        return "protocol.drawn draws the dev set"
    if "dev" in splits:
        return "the data set has a dev set of its own"
    return "protocol.missing_dev=test makes the test set the dev set" if protocol.missing_dev == "test" else None


def draw_examples(split: Split, examples: int, seed: int) -> Split:
    """Return a random sample of `examples` examples, or all of them if there are fewer.

    With the same seed, a smaller sample is part of every larger one.
    """
    shuffled = numpy_generator(seed, "sample of examples").permutation(len(split))
    return split.select(np.sort(shuffled[:examples]))


def add_dev(splits: Mapping[str, Split], protocol: Protocol, seed: int) -> dict[str, Split]:
    """Return the splits with a dev set: the test set, or a random part of the training set."""
    if protocol.missing_dev == "test":
        return {**splits, "dev": splits["test"]}
    train = splits["train"]
    shuffled = numpy_generator(seed, "held-out dev", protocol.fold or 0).permutation(len(train))
    in_dev = shuffled < protocol.dev_fraction * len(train)
    return {**splits, "train": train.select(np.flatnonzero(~in_dev)), "dev": train.select(np.flatnonzero(in_dev))}
