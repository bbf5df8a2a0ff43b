"""Parallel execution of independent jobs, each in a process with one thread."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from attest.errors import SettingsError

OnProgress = Callable[[int], None]
"""A callback that gets the number of finished pieces of work."""


def no_progress(done: int) -> None:
    """Ignore the number of finished pieces."""


def run(
    function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]], processes: int | None, advance: OnProgress
) -> list[Any]:
    """Return function(*job) for each job, in order; large arrays are shared with the processes as files in memory.

    `processes` is the number of processes, None for one per core. Raise SettingsError without scikit-learn.
    """
    try:
        from joblib import Parallel, delayed
    except ImportError as error:
        raise SettingsError(
            "attest transfer: scikit-learn is not installed. Run pip install 'attest[transfer]'"
        ) from error
    workers = 1 if len(jobs) == 1 else processes or -1
    results: list[Any] = []
    for result in Parallel(n_jobs=workers, return_as="generator")(
        delayed(run_with_one_thread)(function, *job) for job in jobs
    ):
        results.append(result)
        advance(len(results))
    return results


def run_with_one_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the function's result, computed with one thread.

    A job this small gains nothing from more, and its sums come out the same everywhere.
    """
    with one_thread():
        return function(*arguments)


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit torch and the libraries behind NumPy to one thread inside a with block."""
    from threadpoolctl import threadpool_limits

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            yield
    finally:
        torch.set_num_threads(threads)
