"""Ctrl-C while processes of a local launcher train runs: those that have begun save their state, no other one
begins."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from hydra.core.utils import JobReturn

from attest.errors import StoppedError
from attest.runs.job_views import job_view
from attest.runs.launches import Launch, processes_here, request_stop
from attest.system.signals import Stopped, stop_requests


@contextmanager
def stop_together(launch: Launch) -> Iterator[None]:
    """Stop all jobs of a launch at the first signal to stop in the block; a second one ends the block at once.

    Launchers such as joblib kill their processes when the command is interrupted, so that what they have trained since
    the last checkpoint is lost. The handler asks the jobs to stop instead, and the launcher returns when they have. A
    signal that this process ignores is still ignored.
    """

    def stop_jobs() -> None:
        request_stop(launch)
        processes = processes_here(launch)
        if os.getpid() in processes:  # a launcher that trains runs in this process
            raise KeyboardInterrupt
        print("stopping: runs that have begun save their state; Ctrl-C again ends them at once", file=sys.stderr)
        for process in processes:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGTERM)

    with stop_requests(stop_jobs) as request:
        try:
            yield
        except Exception as error:  # of a process that the signal has reached before its job began
            if request.received:
                raise Stopped("stopped") from error
            raise


def raise_if_stopped(returns: Mapping[str, JobReturn], launch: Launch | None) -> None:
    """Raise Stopped if jobs have stopped on request; its text says how many saved their state."""
    stopped = [name for name, returned in returns.items() if isinstance(returned._return_value, StoppedError)]
    if not stopped:
        return
    views = [job_view(launch, launch.names.index(name)) for name in stopped] if launch else []
    saved = sum(view.resumes for view in views)
    begun = sum(view.resumes or view.status != "waiting" for view in views)
    parts = [
        sentence_part(saved, "saved at its last step", "saved at their last steps"),
        sentence_part(begun - saved, "stopped before its first step", "stopped before their first steps"),
        sentence_part(len(stopped) - begun, "not begun", "not begun"),
    ]
    raise Stopped(f"stopped: {', '.join(filter(None, parts))}. `attest status` shows them")


def sentence_part(number: int, singular: str, plural: str) -> str:
    """Return such as "2 runs saved at their last steps"; empty for no runs."""
    return f"{number} run{'s' * (number > 1)} {plural if number > 1 else singular}" if number else ""
