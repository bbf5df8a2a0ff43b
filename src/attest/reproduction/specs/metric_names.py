"""The names that columns of a table use: metrics of a record, counts, and subsets of the test set."""

import re
from dataclasses import fields

from attest.config.schema import did_you_mean
from attest.errors import SettingsError
from attest.runs.records import Cost

TRANSFER = "transfer/"
"""Prefix of the metrics that records of `attest transfer` hold: transfer/MR/test."""
DIVIDED = "divided/"
"""divided/phrases/2: phrases of a sentence on level 2. divided/words/2: words of such a phrase."""
DATA = "data/"
"""data/train: labelled examples; data/total: of all splits. A genre may follow: data/train/headlines."""
SIZE = "size/"
"""Prefix of counts of parameters: size/total."""
SIZES = ("hidden", "softmax", "other", "total", "encoder", "width")
MEMORY = "memory/"
"""Prefix of what the benchmark of encoders' memory measured: memory/eager/saved/20."""
OF_A_SPLIT = ("accuracy", "loss", "mse", "pearson", "spearman")
"""The measures of tasks, behind the name of a split: test/accuracy. A genre may follow."""
COUNTS = ("parameters", DATA, DIVIDED, SIZE, MEMORY)
"""Prefixes of metrics that are known before training, so that no seed changes them."""
KNOWN = {
    "parameters": "parameters",
    "cost/...": f"cost/({'|'.join(field.name for field in fields(Cost))})",
    "data/SPLIT": r"data/\w+(/.+)?",
    "divided/...": f"{DIVIDED}(phrases|words)/[1-9]",
    "memory/WAY/KIND/WORDS": f"{MEMORY}(eager|fast)/(peak|saved)/[0-9]+",
    "size/...": f"{SIZE}({'|'.join(SIZES)})",
    "transfer/...": f"{TRANSFER}.+",
    **{f"SPLIT/{name}": rf"[a-z]+/{name}(/.+)?" for name in OF_A_SPLIT},
}
"""The form of a metric's name, for people -> its regular expression."""

DEV = "dev/"
"""Prefix of the metrics of the dev set."""
SUBSET = "@"
"""Stands between a metric and the subset of the test set that it is measured on: test/accuracy@hard."""
MEASURED = "test/accuracy"
"""The metric that can be measured on a subset."""
HARD = "hard"
SUBSETS = (HARD, "distinct")


def lower_is_better(name: str) -> bool:
    """Return whether a lower value of the metric is better: an error or a cost, not a share or a correlation."""
    return name.startswith(("cost/", MEMORY)) or bool(re.search(r"/(loss|mse)\b", name))


def check_metric(where: str, name: str) -> None:
    """Raise SettingsError unless `name` is the name of a metric."""
    if not any(re.fullmatch(pattern, name) for pattern in KNOWN.values()):
        raise SettingsError(f"{where}: {name} is no metric; there are {', '.join(KNOWN)}")


def check_dev_metric(where: str, name: str) -> None:
    """Raise SettingsError unless `name` is a metric of the dev set, the only set that may select a setting."""
    check_metric(where, name)
    if not name.startswith(DEV):
        raise SettingsError(f"{where}: {name} is no metric of the dev set, which alone may select; type {DEV}accuracy")


def check_subset(where: str, metric: str) -> None:
    """Raise SettingsError if `metric` names a subset of the test set that does not exist."""
    if SUBSET in metric and (not metric.startswith(MEASURED + SUBSET) or subset_of(metric) not in SUBSETS):
        known = [f"{MEASURED}{SUBSET}{subset}" for subset in SUBSETS]
        raise SettingsError(f"{where}: no such view.{did_you_mean(metric, known)} There are: {', '.join(known)}.")


def without_subset(metric: str) -> str:
    """Return test/accuracy for test/accuracy@hard."""
    return metric.partition(SUBSET)[0]


def subset_of(metric: str) -> str:
    """Return hard for test/accuracy@hard, and the empty string for a metric of the whole test set."""
    return metric.partition(SUBSET)[2]


def is_count(name: str) -> bool:
    """Return whether the metric is known before training, so that no seed changes it."""
    return name.startswith(COUNTS)
