"""The progress of launched jobs on the terminal: a live table, or lines where the output is no terminal."""

import shutil
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from attest.reproduction.pages.terminal.launches import count_line, ending_line, job_table
from attest.reproduction.pages.text_table import draw
from attest.runs.job_views import JobView, job_views
from attest.runs.launches import Launch, read_launch

SECONDS, QUIET_SECONDS = 1.0, 60.0
"""The interval between two looks at the folder, and the longest silence of output that is no terminal."""
ROWS_LEFT = 8
"""The lines of a terminal that the live table leaves free."""


QueuedJobs = Callable[[], Collection[str] | None]
"""A function that returns the ids of the jobs that wait or run on a cluster, or None if the cluster does not say."""


@contextmanager
def watch_launch(launch: Launch, queue: QueuedJobs | None = None) -> Iterator[None]:
    """Show the progress of the jobs during the block, in a thread, and a line for each job that ends.

    `queue` is the queue of the cluster that the jobs are submitted to; without one, the jobs print lines of their own.
    """
    stop = threading.Event()
    watcher = Watcher(launch, queue)
    thread = threading.Thread(target=watcher.watch, args=(stop,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


class Watcher:
    """The display of the progress of one launch."""

    def __init__(self, launch: Launch, queue: QueuedJobs | None) -> None:
        self.folder, self.title, self.queue = launch.folder, launch.title, queue
        self.named: set[int] = set()
        self.counts, self.printed_at = "", time.monotonic()

    def look(self) -> list[JobView]:
        """Return the jobs, or nothing while the file of the launch cannot be read."""
        launch = read_launch(self.folder)
        queued = None if self.queue is None else self.queue()
        return [] if launch is None else job_views(launch, queued)

    def watch(self, stop: threading.Event) -> None:
        """Show the progress until `stop` is set, and a last time then."""
        with ExitStack() as stack:
            live = None
            if sys.stderr.isatty() and self.queue is not None:  # other jobs print lines of their own
                from rich.console import Console
                from rich.live import Live

                live = stack.enter_context(Live(console=Console(stderr=True), transient=True, refresh_per_second=1))
            while True:
                last = stop.wait(SECONDS)
                views = self.look()
                for view in self.newly_ended(views):
                    if self.queue is not None or view.status == "failed":
                        self.print(ending_line(view, self.title))
                if live is not None:
                    live.update(f"{table_of(views)}\n{count_line(views)}")
                else:
                    self.print_counts(views)
                if last:
                    return

    def newly_ended(self, views: Sequence[JobView]) -> list[JobView]:
        """Return the jobs that have ended since the last call."""
        ended = [view for view in views if view.ended and view.number not in self.named]
        self.named |= {view.number for view in ended}
        return ended

    def print_counts(self, views: Sequence[JobView]) -> None:
        """Print the numbers of jobs if they have changed, or nothing was printed for long."""
        line = count_line(views)
        counts = line.partition(";")[0]
        if counts != self.counts or time.monotonic() - self.printed_at > QUIET_SECONDS:
            self.counts = counts
            self.print(line)

    def print(self, line: str) -> None:
        """Print a line on standard error; while a live table is drawn, it goes above the table."""
        self.printed_at = time.monotonic()
        print(line, file=sys.stderr, flush=True)


def table_of(views: Sequence[JobView]) -> str:
    """Return the jobs that have not ended, those that run first, in as many lines as the terminal has room for."""
    size = shutil.get_terminal_size()
    open_views = sorted((view for view in views if not view.ended), key=lambda view: view.status != "running")
    return draw(job_table(open_views[: max(1, size.lines - ROWS_LEFT)]), size.columns) if open_views else ""
