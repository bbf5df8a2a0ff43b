"""Parallel execution of independent jobs, each in a process with one thread."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import torch

from attest.runs.observers import Observers, report_step
from attest.system.parent import end_with_parent


def run_jobs(
    function: Callable[..., Any],
    jobs: Sequence[tuple[Any, ...]],
    processes: int | None,
    observers: Observers,
    done: int = 0,
) -> list[Any]:
    """Return the result of function(*job) for each job, in the order of the jobs.

    `processes` is the number of processes, None for one per core; large arrays reach them as memory-mapped files. The
    processes are reused for further jobs and end with this process. After each job the observers receive the number of
    finished jobs, counted from `done`.
    """
    from joblib import Parallel, delayed  # an optional package, which transfer.inputs looks for

    workers = 1 if len(jobs) == 1 else processes or -1
    results: list[Any] = []
    pool = Parallel(n_jobs=workers, return_as="generator", initializer=end_with_parent, initargs=(os.getpid(),))
    for result in pool(delayed(run_with_one_thread)(function, *job) for job in jobs):
        results.append(result)
        report_step(observers, done + len(results))
    return results


def run_with_one_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the function's result, computed with one thread.

    The matrices of a job are too small to gain from more threads, and with one thread sums do not depend on the number
    of cores.
    """
    from threadpoolctl import threadpool_limits

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            return function(*arguments)
    finally:
        torch.set_num_threads(threads)
