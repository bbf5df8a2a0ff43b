"""Tasks for sentence encoders: the model, its loss and its metrics."""

from collections.abc import Mapping

from attest.training.tasks.base import SentenceTask
from attest.training.tasks.classification import Classification
from attest.training.tasks.relatedness import Relatedness

TASKS: Mapping[str, type[SentenceTask]] = {"classification": Classification, "relatedness": Relatedness}

__all__ = ["TASKS", "Classification", "Relatedness", "SentenceTask"]
