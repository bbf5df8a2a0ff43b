"""Who looks on while a run trains: the terminal, Weights & Biases, or nobody."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from attest.config.settings import Settings
from attest.runs.records import Record


class Watcher(Protocol):
    """Told of every step, then of the evaluation after it if there is one, and of the end. Nothing it does changes the
    run."""

    def step(self, step: int) -> None: ...
    def evaluated(self, entry: Mapping[str, float]) -> None: ...
    def finished(self, record: Record) -> None: ...


Watchers = Sequence[Watcher]
Watch = Callable[[Settings, str, int], AbstractContextManager[Watchers]]
"""(settings, run id, number of steps) -> the watchers of one run, closed at its end however it ends."""


@contextmanager
def nobody(settings: Settings, identity: str, steps: int) -> Iterator[Sequence[Watcher]]:
    yield ()
