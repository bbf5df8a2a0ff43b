"""How a run shows that it is alive: a bar on a terminal, one line per evaluation elsewhere."""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from attest.runs.observers import Watcher
from attest.runs.records import Record


@contextmanager
def progress(name: str, steps: int, *, alone: bool = True) -> Iterator[Watcher]:
    """A bar if standard error is a terminal, else lines. Runs that are not alone on it write lines too."""
    if not (alone and sys.stderr.isatty()):
        yield Lines(name, steps)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    tail = (TimeRemainingColumn(), TextColumn("{task.fields[last]}"))
    with Progress(*columns, *tail, console=Console(stderr=True), transient=True, refresh_per_second=4) as bar:
        yield Live(bar, name, steps)


class Live:
    """Moves with every step."""

    def __init__(self, bar: Progress, name: str, steps: int) -> None:
        self.bar, self.task = bar, bar.add_task(name, total=steps, last="")

    def step(self, step: int) -> None:
        self.bar.update(self.task, completed=step)

    def evaluated(self, entry: Mapping[str, float]) -> None:
        self.bar.update(self.task, last=f"loss {entry['train/loss']:.4f}  {shown(entry)}")

    def finished(self, record: Record) -> None: ...


class Lines:
    """One line per evaluation, with an estimate of the time that is left."""

    def __init__(self, name: str, steps: int) -> None:
        self.name, self.steps = name, steps
        self.first: int | None = None
        self.began = time.perf_counter()

    def step(self, step: int) -> None:
        if self.first is None:  # a resumed run does not begin at 1
            self.first = step - 1

    def evaluated(self, entry: Mapping[str, float]) -> None:
        step, elapsed = int(entry["step"]), time.perf_counter() - self.began
        done = step - (self.first or 0)
        left = elapsed / done * (self.steps - step)
        print(
            f"{self.name}  step {step:,}/{self.steps:,}  epoch {entry['epoch']:g}  loss {entry['train/loss']:.4f}  "
            f"{shown(entry)}  {clock(elapsed)} gone, {clock(left)} left",
            file=sys.stderr,
            flush=True,
        )

    def finished(self, record: Record) -> None: ...


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def shown(entry: Mapping[str, float]) -> str:
    """What training goes for, of the dev set."""
    for measure in ("accuracy", "f1"):
        if (key := f"dev/{measure}") in entry:
            return f"dev {entry[key]:.2f}"
    return f"dev r {entry['dev/pearson']:.4f}"
