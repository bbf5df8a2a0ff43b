"""Evaluation of sentence vectors on other tasks, by the protocol of SentEval, for any encoder."""

from attest.transfer.classifiers import Sklearn
from attest.transfer.evaluate import evaluate
from attest.transfer.network import Torch
from attest.transfer.outcomes import Outcome, figures
from attest.transfer.settings import Transfer
from attest.transfer.tasks import TASKS

__all__ = ["TASKS", "Outcome", "Sklearn", "Torch", "Transfer", "evaluate", "figures"]
