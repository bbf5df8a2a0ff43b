"""The eleven tasks of SentEval: their data sets, tokenisation, designs and metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from attest.config.error_words import did_you_mean
from attest.config.settings import Text
from attest.errors import SettingsError

TREEBANK = Text(tokens="treebank")
LOWERED = Text(tokens="treebank", lowercase=True)
WHITESPACE = Text(tokens="whitespace")
WHITESPACE_LOWERED = Text(tokens="whitespace", lowercase=True)


@dataclass(frozen=True)
class Task:
    """One task of SentEval. Raw text is tokenised by our treebank rules where SentEval's scripts call sed or Moses.

    The order of examples, which decides the folds, follows these tokens (see `task_data`): only TREC and SST2 have
    SentEval's order. The text of MRPC is tokenised by these rules too, although SentEval leaves it as it is and splits
    it at spaces. Our published figures of MRPC were made with these rules.
    """

    dataset: str
    design: Literal["nested", "k-fold", "split", "relatedness", "similarity"]
    """The way a task is trained and tested. nested: each fold is the test set once, and the other folds are divided
    into folds again to select the value of regularisation; k-fold: folds of the training set select it; split: the
    dev set selects it; relatedness: a model learns the grades of pairs; similarity: the cosine predicts them
    untrained."""
    text: Text = TREEBANK
    removed_characters: str = ""
    """The characters that are removed from sentences before tokenisation."""
    labels: Sequence[str] = ()
    """The classes in SentEval's order; empty if the order is that of the data set."""
    f1: bool = False
    """True if F1 is computed besides accuracy."""
    averaged: bool = True
    """True for the eight tasks over which averages are taken, as in InferSent."""


TASKS: Mapping[str, Task] = {
    "MR": Task("mr", "nested"),
    "CR": Task("cr", "nested"),
    "SUBJ": Task("subj", "nested"),
    "MPQA": Task("mpqa", "nested"),
    "SST2": Task("sst2", "split", WHITESPACE),
    "SST5": Task("sst", "split", WHITESPACE_LOWERED, averaged=False),
    "TREC": Task("trec", "k-fold", WHITESPACE, removed_characters="`'"),
    "MRPC": Task("mrpc", "k-fold", f1=True),
    "SICK-R": Task("sick", "relatedness", averaged=False),
    "SICK-E": Task("sick", "split", labels=("CONTRADICTION", "NEUTRAL", "ENTAILMENT")),
    "STS14": Task("sts14", "similarity", LOWERED, averaged=False),
}
"""The tasks by name."""


def check_tasks(names: Sequence[str]) -> None:
    """Raise SettingsError unless there is at least one name, each is that of a task, and none is repeated."""
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise SettingsError(f"tasks: expected a list, got {names!r}; put a single one into brackets")
    for name in names:
        if name not in TASKS:
            raise SettingsError(
                f"tasks: unknown task {name!r}.{did_you_mean(str(name).upper(), TASKS)} There are: {', '.join(TASKS)}."
            )
    if not names or len(set(names)) < len(names):
        raise SettingsError("tasks: none given, or one given twice; name at least one task, and each once")
