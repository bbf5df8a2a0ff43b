"""Independent pieces of work, side by side in processes of one thread each."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from attest.errors import SettingsError

Advance = Callable[[int], None]
"""Told how many pieces are done."""


def nobody(done: int) -> None: ...


def run(
    function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]], processes: int | None, advance: Advance
) -> list[Any]:
    """function(*job) of each job, in order. Large arrays are handed over once, as files in memory."""
    try:
        from joblib import Parallel, delayed
    except ImportError as error:
        raise SettingsError("evaluating transfer needs scikit-learn: pip install 'attest[transfer]'") from error
    wanted = 1 if len(jobs) == 1 else processes or -1
    results: list[Any] = []
    for result in Parallel(n_jobs=wanted, return_as="generator")(delayed(alone)(function, *job) for job in jobs):
        results.append(result)
        advance(len(results))
    return results


def alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """With one thread: so small a piece gains nothing from more, and its sums come out the same everywhere."""
    with one_thread():
        return function(*arguments)


@contextmanager
def one_thread() -> Iterator[None]:
    from threadpoolctl import threadpool_limits

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            yield
    finally:
        torch.set_num_threads(threads)
