"""Observers of a run or of other work: the terminal and Weights & Biases. They receive progress and never change it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from attest.config.settings import Settings
from attest.runs.records import Record


class Observer(Protocol):
    """An object whose methods are called after each step, after each evaluation, and with the finished record.

    Training calls all three; other work only calls `step`.
    """

    def step(self, step: int) -> None:
        """Receive the number of steps done so far."""

    def evaluated(self, entry: Mapping[str, float]) -> None:
        """Receive an entry of the learning curve: step, epoch, train/loss and the metrics of the evaluated splits."""

    def finished(self, record: Record) -> None:
        """Receive the record of the finished run."""


Observers = Sequence[Observer]
ObserveRun = Callable[[Settings, str, int], AbstractContextManager[Observers]]
"""A function of settings, run id and number of steps that opens the observers of a training run, as a context."""
ObserveWork = Callable[[str, int], AbstractContextManager[Observers]]
"""A function of a name and the number of steps that opens the observers of other work, as a context."""


@contextmanager
def no_observers(*work: object) -> Iterator[Observers]:
    """Yield an empty sequence, whatever the arguments: the default of parameters of type ObserveRun and ObserveWork."""
    yield ()


def report_step(observers: Observers, step: int) -> None:
    """Call every observer with the number of steps done so far."""
    for observer in observers:
        observer.step(step)
