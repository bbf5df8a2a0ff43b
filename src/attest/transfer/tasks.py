"""The eleven tasks of SentEval: their data, tokens, design and measures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from attest.config.schema import did_you_mean
from attest.config.settings import Text
from attest.errors import SettingsError

TREEBANK = Text(tokens="treebank")
LOWERED = Text(tokens="treebank", lowercase=True)
WHITESPACE = Text(tokens="whitespace")
WHITESPACE_LOWERED = Text(tokens="whitespace", lowercase=True)


@dataclass(frozen=True)
class Task:
    """One task of SentEval. Raw text is tokenised by our treebank rules where SentEval's scripts call sed or Moses."""

    dataset: str
    design: Literal["nested", "k-fold", "split", "relatedness", "similarity"]
    """The way a task is learnt and tested. nested: every fold is tested on once, and folds of the others select the
    strength of regularisation. k-fold: folds of the training set select it. split: the dev set does. relatedness: a
    grade for each pair is learnt. similarity: nothing is learnt."""
    text: Text = TREEBANK
    without: str = ""
    """Characters that are removed from the text."""
    labels: Sequence[str] = ()
    """The classes in SentEval's order, if it is not that of the data set."""
    f1: bool = False
    """Whether F1 is measured beside accuracy."""
    averaged: bool = True
    """Whether the task counts in the averages. InferSent's are over the eight tasks that are measured by accuracy
    alone."""


TASKS: Mapping[str, Task] = {
    "MR": Task("mr", "nested"),
    "CR": Task("cr", "nested"),
    "SUBJ": Task("subj", "nested"),
    "MPQA": Task("mpqa", "nested"),
    "SST2": Task("sst2", "split", WHITESPACE),
    "SST5": Task("sst", "split", WHITESPACE_LOWERED, averaged=False),
    "TREC": Task("trec", "k-fold", WHITESPACE, without="`'"),
    "MRPC": Task("mrpc", "k-fold", f1=True),
    "SICK-R": Task("sick", "relatedness", averaged=False),
    "SICK-E": Task("sick", "split", labels=("CONTRADICTION", "NEUTRAL", "ENTAILMENT")),
    "STS14": Task("sts14", "similarity", LOWERED, averaged=False),
}


def check_tasks(names: Sequence[str]) -> None:
    """Raise SettingsError unless each name is a task, none is given twice, and there is at least one."""
    for name in names:
        if name not in TASKS:
            raise SettingsError(
                f"tasks: unknown task {name!r}.{did_you_mean(name, TASKS)} There are: {', '.join(TASKS)}."
            )
    if not names or len(set(names)) < len(names):
        raise SettingsError("tasks: none given, or one given twice; name at least one task, and each once")
