"""The eleven tasks: which data, cut into words how, learnt and measured how."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from attest.config.schema import closest
from attest.config.settings import Text
from attest.errors import SettingsError

TREEBANK = Text(tokens="treebank")
LOWERED = Text(tokens="treebank", lowercase=True)
AS_IT_STANDS = Text(tokens="whitespace")
AS_IT_STANDS_LOWERED = Text(tokens="whitespace", lowercase=True)


@dataclass(frozen=True)
class Task:
    """One task of SentEval. Raw text is cut by our treebank rules where SentEval's scripts call sed or Moses."""

    dataset: str
    design: Literal["nested", "k-fold", "split", "relatedness", "similarity"]
    """nested: every fold is tested on once, and folds of the others choose the strength of regularisation. k-fold:
    folds of the training set choose it. split: the dev set does. relatedness: a grade for each pair. similarity:
    nothing is learnt."""
    text: Text = TREEBANK
    without: str = ""
    """Characters that are taken out of the text."""
    labels: Sequence[str] = ()
    """The classes in SentEval's order, where it is not that of the data set."""
    f1: bool = False
    averaged: bool = True
    """Whether it counts in the averages: InferSent's are of the eight tasks that are measured by accuracy alone."""


TASKS: Mapping[str, Task] = {
    "MR": Task("mr", "nested"),
    "CR": Task("cr", "nested"),
    "SUBJ": Task("subj", "nested"),
    "MPQA": Task("mpqa", "nested"),
    "SST2": Task("sst2", "split", AS_IT_STANDS),
    "SST5": Task("sst", "split", AS_IT_STANDS_LOWERED, averaged=False),
    "TREC": Task("trec", "k-fold", AS_IT_STANDS, without="`'"),
    "MRPC": Task("mrpc", "k-fold", f1=True),
    "SICK-R": Task("sick", "relatedness", averaged=False),
    "SICK-E": Task("sick", "split", labels=("CONTRADICTION", "NEUTRAL", "ENTAILMENT")),
    "STS14": Task("sts14", "similarity", LOWERED, averaged=False),
}


def check(names: Sequence[str]) -> None:
    """Every task is known, and stands there once."""
    for name in names:
        if name not in TASKS:
            raise SettingsError(
                f"tasks: there is no task {name!r}.{closest(name, TASKS)} There are: {', '.join(TASKS)}."
            )
    if not names or len(set(names)) < len(names):
        raise SettingsError("tasks: name at least one, and each once")
