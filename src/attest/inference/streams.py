"""Use of a finished run on files of any length: they are read twice, and held in memory a few windows at a time.

The first reading finds new words, so that the file of word vectors is read once for all of them.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, cycle, islice
from queue import SimpleQueue
from typing import TypeVar

import torch

from attest.data.numericalise import MAX_TOKENS
from attest.data.readers import Example
from attest.errors import DataError
from attest.inference.example_input import words_of_examples
from attest.inference.labelled_files import LabelledFile
from attest.inference.sentence_files import SentenceFile
from attest.inference.trained_run import TrainedRun

WINDOW = 4096
"""The number of examples that are computed together. Batches are sorted by length within a window."""
MOST_AT_ONCE = 4
"""The largest number of windows that are computed at the same time."""

Result = TypeVar("Result")


ExampleFile = SentenceFile | LabelledFile
"""A file of examples that can be read several times."""


@dataclass(frozen=True)
class FileCounts:
    """The counts of a file, which the first reading finds."""

    examples: int
    sentences: int
    """The number of all sentences: twice as many for pairs."""
    empty: int
    """The number of sentences without words."""
    words: int
    """The number of all words of the file, counted at each occurrence."""
    unknown: int
    """The number of those that the run has not met and that have no vector, counted at each occurrence."""
    most_frequent: tuple[str, ...]
    """The most frequent unknown words."""


def add_new_words(trained: TrainedRun, file: ExampleFile) -> FileCounts:
    """Add the vectors of a file's new words to the run, and return the counts of the file.

    Raise DataError if the file holds no examples, or a sentence that is too long.
    """
    examples, sentences, empty, words = 0, 0, 0, 0
    new: Counter[str] = Counter()
    for window in windows(file):
        examples += len(window)
        # All first sentences come before all second ones, so iterate over the examples once per side.
        for example, tokens in zip(cycle(window), words_of_examples(trained, window), strict=False):
            if len(tokens) > MAX_TOKENS:
                raise example.error(f"the sentence has over {MAX_TOKENS:,} words; split it")
            sentences, empty, words = sentences + 1, empty + (not tokens), words + len(tokens)
            new.update(token for token in tokens if token not in trained.row_of)
    if not examples:
        raise DataError(f"{file.source}: the file holds no sentences")
    unknown = set(trained.add_words(sorted(new)))
    ordered = [(word, count) for word, count in new.most_common() if word in unknown]
    occurrences = sum(count for _, count in ordered)
    return FileCounts(examples, sentences, empty, words, occurrences, tuple(word for word, _ in ordered[:5]))


def results(
    trained: TrainedRun,
    file: ExampleFile,
    total: int,
    compute: Callable[[TrainedRun, Sequence[Example]], Result],
    start: int = 0,
) -> Iterator[tuple[int, Result]]:
    """Yield the result of each window of a file, in order, with the number of examples up to its end.

    Windows within the first `start` examples are left out. Raise DataError if the file no longer holds `total`
    examples.
    """
    done = 0
    with window_pool(trained, compute, windows_at_once(trained, total - start)) as submit:
        pending: deque[tuple[int, Future[Result]]] = deque()
        for window in windows(file):
            done += len(window)
            if done > total:
                break
            if done > start:
                while len(pending) > windows_at_once(trained, total - start):
                    end, future = pending.popleft()
                    yield end, future.result()
                pending.append((done, submit(window)))
        for end, future in pending:
            yield end, future.result()
    if done != total:
        raise DataError(f"{file.source}: the file changed while it was read; run the same command again")


def windows_at_once(trained: TrainedRun, examples: int) -> int:
    """Return the number of windows that are computed at the same time, each by a thread of its own.

    It is 1 for encoders that attend within phrases, since a parser is not made for several threads.
    """
    window_count = -(-examples // WINDOW)
    return 1 if trained.task.encoder.levels else max(1, min(torch.get_num_threads(), MOST_AT_ONCE, window_count))


@contextmanager
def window_pool(
    trained: TrainedRun, compute: Callable[[TrainedRun, Sequence[Example]], Result], size: int
) -> Iterator[Callable[[Sequence[Example]], "Future[Result]"]]:
    """Yield a function that begins to compute a window in one of `size` threads, and returns its future.

    While one thread tokenises a window or runs Python, the other ones multiply matrices. The threads share torch's
    number of threads and the word vectors; modules may have state, so each thread has its own.
    """
    threads = torch.get_num_threads()
    copies: SimpleQueue[TrainedRun] = SimpleQueue()
    for number in range(size):
        copies.put(trained.duplicate() if number else trained)

    def run(rows: Sequence[Example]) -> Result:
        run_copy = copies.get()
        try:
            return compute(run_copy, rows)
        finally:
            copies.put(run_copy)

    pool = ThreadPoolExecutor(size, initializer=partial(torch.set_num_threads, threads // size))
    try:
        yield partial(pool.submit, run)
    finally:
        pool.shutdown(cancel_futures=True)
        torch.set_num_threads(threads)  # threads that begin later have the number that was set last


def windows(file: ExampleFile) -> Iterator[Sequence[Example]]:
    """Yield the examples of a file, WINDOW at a time."""
    examples = file.examples()
    for first in examples:
        yield list(chain([first], islice(examples, WINDOW - 1)))
