"""LightningModules: what is learnt, and how it is measured."""

from collections.abc import Mapping

from attest.tasks.base import SentenceTask
from attest.tasks.classification import Classification
from attest.tasks.relatedness import Relatedness

TASKS: Mapping[str, type[SentenceTask]] = {"classification": Classification, "relatedness": Relatedness}

__all__ = ["TASKS", "Classification", "Relatedness", "SentenceTask"]
