"""Observers of a run or of other work: the terminal, Weights & Biases. They see its progress and never change it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from attest.config.settings import Settings
from attest.runs.records import Record


class Observer(Protocol):
    """An object that is told of each step, of the evaluation after a step if there is one, and of the finished record.

    Only training evaluates and finishes with a record; other work reports its steps alone.
    """

    def step(self, step: int) -> None:
        """Note that this many steps are done."""

    def evaluated(self, entry: Mapping[str, float]) -> None:
        """Note an entry of the learning curve: step, epoch, train/loss and the metrics of the evaluated splits."""

    def finished(self, record: Record) -> None:
        """Note the record of the finished run."""


Observers = Sequence[Observer]
ObserveRun = Callable[[Settings, str, int], AbstractContextManager[Observers]]
"""(settings, run id, number of steps) -> the observers of a training run, closed when it ends or fails."""
ObserveWork = Callable[[str, int], AbstractContextManager[Observers]]
"""(name, number of steps) -> the observers of other work, closed when it ends or fails."""


@contextmanager
def no_observers(*work: object) -> Iterator[Observers]:
    """Yield an empty sequence: the default wherever observers can be given."""
    yield ()


def report_step(observers: Observers, step: int) -> None:
    """Tell every observer that this many steps are done."""
    for observer in observers:
        observer.step(step)
