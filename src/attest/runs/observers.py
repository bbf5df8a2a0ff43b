"""Observers of a run or of other work, such as the terminal and W&B. They receive progress and never change it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from attest.config.settings import Settings
from attest.runs.records import Record


@dataclass(frozen=True)
class StepFigures:
    """The figures of the last training step."""

    loss: float
    lr: float
    """The highest learning rate of a parameter group."""
    grad_norm: float
    """The common 2-norm of all gradients, before clipping."""
    examples: float
    """The number of examples in all steps so far."""
    seconds: float
    """The time of all training steps so far."""


MeasureStep = Callable[[], StepFigures]
"""A function that measures the last step. It may wait for the device, so observers call it rarely."""


class Observer:
    """The base class of observers: methods that receive progress and, unless they are overridden, do nothing.

    Training calls all of them; other work only calls `step`.
    """

    def resumed(self, curve: Sequence[Mapping[str, float]]) -> None:
        """Receive the learning curve so far of a run that continues from a checkpoint."""

    def step(self, step: int, measure: MeasureStep | None = None) -> None:
        """Receive the number of steps done so far and, if the last one was a training step, a function that measures
        it."""

    def evaluated(self, entry: Mapping[str, float]) -> None:
        """Receive an entry of the learning curve: step, epoch, train/loss and the metrics of the evaluated splits."""

    def finished(self, record: Record) -> None:
        """Receive the record of the finished run."""


Observers = Sequence[Observer]
ObserveRun = Callable[[Settings, Record, int], AbstractContextManager[Observers]]
"""A function of settings, record and number of steps that opens the observers of a training run, as a context.

The record has the status running, and no figures yet."""
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
