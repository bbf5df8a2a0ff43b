"""Display of a run's progress: a bar on a terminal, else a line for each evaluation."""

import errno
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from attest.runs.observers import MeasureStep, Observer, Observers
from attest.system.signals import leave_closed_terminal


@contextmanager
def observe_progress(name: str, steps: int, *, alone: bool = True) -> Iterator[Observer]:
    """Yield an observer that shows the progress of a run of `steps` steps on standard error.

    It is a progress bar if standard error is a terminal and `alone` is true; else, or if several runs share the
    terminal (alone=False), it prints lines.
    """
    if not (alone and sys.stderr.isatty()):
        yield ProgressLines(name, steps)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    tail = (TimeRemainingColumn(), TextColumn("{task.fields[last]}"))
    with Progress(*columns, *tail, console=Console(stderr=True), transient=True, refresh_per_second=4) as bar:
        yield ProgressBar(bar, name, steps)


@contextmanager
def observe_work(name: str, steps: int) -> Iterator[Observers]:
    """Yield the progress display of work that has no other observer."""
    with observe_progress(name, steps) as observer:
        yield (observer,)


class ProgressBar(Observer):
    """An observer that draws a progress bar on a terminal and moves it after every step."""

    def __init__(self, bar: Progress, name: str, steps: int) -> None:
        self.bar, self.task = bar, bar.add_task(name, total=steps, last="")

    def step(self, step: int, measure: MeasureStep | None = None) -> None:
        self.bar.update(self.task, completed=step)

    def evaluated(self, entry: Mapping[str, float]) -> None:
        self.bar.update(self.task, last=f"loss {entry['train/loss']:.4f}  {format_dev_score(entry)}")


class ProgressLines(Observer):
    """An observer that prints a line on standard error after each evaluation, with an estimate of the time left."""

    def __init__(self, name: str, steps: int) -> None:
        self.name, self.steps = name, steps
        self.began = time.perf_counter()
        self.first: tuple[int, float] | None = None
        """The first step of this process, which is not step 1 in a resumed run, and the time at its end."""

    def step(self, step: int, measure: MeasureStep | None = None) -> None:
        if self.first is None:
            self.first = step, time.perf_counter()

    def evaluated(self, entry: Mapping[str, float]) -> None:
        step, now = int(entry["step"]), time.perf_counter()
        first, then = self.first or (step, now)
        left = ""  # not known after a single step: what comes before it, such as reading the data, says nothing
        if step > first:
            left = f", {format_duration((now - then) / (step - first) * (self.steps - step))} left"
        print_line(
            f"{self.name}  step {step:,}/{self.steps:,}  epoch {entry['epoch']:g}  loss {entry['train/loss']:.4f}  "
            f"{format_dev_score(entry)}  {format_duration(now - self.began)} elapsed{left}"
        )


def print_line(line: str) -> None:
    """Print a line on standard error; if that is a terminal which was closed, discard it and all that follow."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        leave_closed_terminal()
        print(line, file=sys.stderr, flush=True)  # a file whose disk fails refuses it again


def format_duration(seconds: float) -> str:
    """Return seconds as m:ss, or as h:mm:ss from one hour on."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def format_dev_score(entry: Mapping[str, float]) -> str:
    """Return the dev score of an evaluation as text, such as "dev 84.21" (percent) or "dev r 0.8012".

    A measure of the user's own follows its name; the text is empty if there is no dev score.
    """
    for measure in ("accuracy", "f1"):
        if (key := f"dev/{measure}") in entry:
            return f"dev {entry[key]:.2f}"
    if "dev/pearson" in entry:
        return f"dev r {entry['dev/pearson']:.4f}"
    named = ((key.removeprefix("dev/"), value) for key, value in entry.items() if key.startswith("dev/"))
    return next((f"dev {name} {value:.4g}" for name, value in named if name != "loss"), "")
