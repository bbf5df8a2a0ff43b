"""Tasks for sentence encoders: the model, its loss and its metrics."""

from collections.abc import Mapping

from attest.training.tasks.base import SentenceTask
from attest.training.tasks.classification import Classification
from attest.training.tasks.relatedness import Relatedness

BUILT_IN_TASKS: Mapping[str, type[SentenceTask]] = {"classification": Classification, "relatedness": Relatedness}


def task_class(name: str) -> type[SentenceTask]:
    """Return the class of a task, given by its name or, if it is of the user's own, by the full name of the class."""
    if name in BUILT_IN_TASKS:
        return BUILT_IN_TASKS[name]
    from attest.config.locate import own_subclass  # imported here, since tasks need torch and numpy alone

    return own_subclass(name, "task", SentenceTask)


__all__ = ["BUILT_IN_TASKS", "Classification", "Relatedness", "SentenceTask", "task_class"]
