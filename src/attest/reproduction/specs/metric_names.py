"""The names that columns of a table use: metrics of a record, counts, and subsets of the test set."""

import re
from dataclasses import fields

from attest.config.error_words import did_you_mean
from attest.errors import SettingsError
from attest.runs.records import Cost

TRANSFER = "transfer/"
"""The prefix of metrics from records of `attest transfer`, as in transfer/MR/test."""
PHRASES_PREFIX = "divided/"
"""The prefix of counts of phrases: divided/phrases/2 is the number of phrases in a sentence on level 2, divided/words/2
the number of words in such a phrase."""
COST = "cost/"
"""The prefix of times and memory, which depend on the device of a run."""
DATA = "data/"
"""The prefix of counts of labelled examples: data/train, data/total (all splits), data/train/headlines (a genre)."""
SIZE = "size/"
"""The prefix of counts of parameters, as in size/total."""
SIZES = ("hidden", "softmax", "other", "total", "encoder", "width")
MEMORY = "memory/"
"""The prefix of measurements of the benchmark of encoders' memory, as in memory/eager/saved/20."""
SPLIT_MEASURES = ("accuracy", "loss", "mse", "pearson", "spearman")
"""The measures of tasks, which follow the name of a split, as in test/accuracy. A genre may follow them."""
COUNTS = ("parameters", DATA, PHRASES_PREFIX, SIZE, MEMORY)
"""The beginnings of the names of metrics that are known before training, so that no seed changes them."""
METRIC_PATTERNS = {
    "parameters": "parameters",
    "cost/...": f"{COST}({'|'.join(field.name for field in fields(Cost))})",
    "data/SPLIT": r"data/\w+(/.+)?",
    "divided/...": f"{PHRASES_PREFIX}(phrases|words)/[1-9]",
    "memory/WAY/KIND/WORDS": f"{MEMORY}(eager|fast)/(peak|saved)/[0-9]+",
    "size/...": f"{SIZE}({'|'.join(SIZES)})",
    "transfer/...": f"{TRANSFER}.+",
    **{f"SPLIT/{name}": rf"[a-z]+/{name}(/.+)?" for name in SPLIT_MEASURES},
}
"""The form of a metric's name as error texts show it -> the regular expression of such names."""

DEV = "dev/"
"""The prefix of the metrics of the dev set."""
SUBSET_MARK = "@"
"""The mark between a metric and the subset of the test set on which it is measured, as in test/accuracy@hard."""
SUBSET_METRIC = "test/accuracy"
"""The only metric that can be measured on a subset."""
HARD = "hard"
SUBSETS = (HARD, "distinct")


def lower_is_better(name: str) -> bool:
    """Return whether a lower value of the metric is better: an error or a cost, not a share or a correlation."""
    return name.startswith((COST, MEMORY)) or bool(re.search(r"/(loss|mse)\b", name))


def check_metric(where: str, name: str) -> None:
    """Raise SettingsError unless `name` is the name of a metric."""
    if not any(re.fullmatch(pattern, name) for pattern in METRIC_PATTERNS.values()):
        raise SettingsError(f"{where}: {name} is no metric; there are {', '.join(METRIC_PATTERNS)}")


def check_dev_metric(where: str, name: str) -> None:
    """Raise SettingsError unless `name` is a metric of the dev set, the only set that may select a setting."""
    check_metric(where, name)
    if not name.startswith(DEV):
        raise SettingsError(f"{where}: {name} is no metric of the dev set, which alone may select; type {DEV}accuracy")


def check_subset(where: str, metric: str) -> None:
    """Raise SettingsError if `metric` names a subset of the test set that does not exist."""
    if SUBSET_MARK in metric and (
        not metric.startswith(SUBSET_METRIC + SUBSET_MARK) or subset_of(metric) not in SUBSETS
    ):
        known = [f"{SUBSET_METRIC}{SUBSET_MARK}{subset}" for subset in SUBSETS]
        raise SettingsError(
            f"{where}: no such subset of the test set.{did_you_mean(metric, known)} There are: {', '.join(known)}."
        )


def without_subset(metric: str) -> str:
    """Return a metric's name without its subset: test/accuracy for test/accuracy@hard."""
    return metric.partition(SUBSET_MARK)[0]


def subset_of(metric: str) -> str:
    """Return the subset in a metric's name: hard for test/accuracy@hard, empty for the whole test set."""
    return metric.partition(SUBSET_MARK)[2]


def is_count(name: str) -> bool:
    """Return whether the metric is known before training, so that no seed changes it."""
    return name.startswith(COUNTS)
