"""Evaluation of sentence vectors on other tasks, by the protocol of SentEval, for any encoder.

`evaluate` takes a function from sentences to vectors, and the names of tasks; `figures` returns the metrics of all
outcomes and their averages. The protocol is a `Transfer`, with a classifier `Sklearn` or `Torch`. `TASKS` names the
tasks with their data sets.
"""

from attest.transfer.classifiers import Sklearn
from attest.transfer.evaluate import evaluate
from attest.transfer.network import Torch
from attest.transfer.outcomes import Outcome, figures
from attest.transfer.settings import Transfer
from attest.transfer.tasks import TASKS

__all__ = ["TASKS", "Outcome", "Sklearn", "Torch", "Transfer", "evaluate", "figures"]
