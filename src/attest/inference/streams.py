"""Use of a finished run on files of any length: they are read twice, and held in memory a window at a time.

The first reading finds new words, so that the file of word vectors is read once for all of them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeVar

from attest.data.numericalise import MAX_TOKENS
from attest.errors import DataError
from attest.inference.sentence_files import SentenceFile
from attest.inference.trained_run import TrainedRun

WINDOW = 4096
"""The number of examples that are computed at a time. Batches are sorted by length within a window."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Survey:
    """The counts of a file, which the first reading finds."""

    examples: int
    words: int
    """The number of all words of the file, counted at each occurrence."""
    unknown: int
    """The number of those that the run has not met and that have no vector, counted at each occurrence."""
    most_frequent: tuple[str, ...]
    """The most frequent unknown words."""


def survey(trained: TrainedRun, file: SentenceFile) -> Survey:
    """Return the counts of a file, and add the vectors of its new words to the run.

    Raise DataError if the file holds no examples, or a sentence that is too long.
    """
    examples, words = 0, 0
    new: Counter[str] = Counter()
    for window in windows(file):
        examples += len(window)
        sentences = [sentence for _, example in window for sentence in example]
        numbers = [number for number, example in window for _ in example]
        for number, tokens in zip(numbers, trained.words(sentences), strict=True):
            if len(tokens) > MAX_TOKENS:
                raise file.source.error(number, f"the sentence has over {MAX_TOKENS:,} words; split it")
            words += len(tokens)
            new.update(token for token in tokens if token not in trained.rows)
    if not examples:
        raise DataError(f"{file.source}: the file holds no sentences")
    unknown = set(trained.add_words(sorted(new)))
    ordered = [(word, count) for word, count in new.most_common() if word in unknown]
    return Survey(examples, words, sum(count for _, count in ordered), tuple(word for word, _ in ordered[:5]))


def results(
    file: SentenceFile, total: int, compute: Callable[[Sequence[tuple[str, ...]]], Result], start: int = 0
) -> Iterator[tuple[int, Result]]:
    """Yield the result of each window of a file, in order, with the number of examples up to its end.

    Windows within the first `start` examples are left out. Raise DataError if the file no longer holds `total`
    examples.
    """
    done = 0
    for window in windows(file):
        done += len(window)
        if done > total:
            break
        if done > start:
            yield done, compute([example for _, example in window])
    if done != total:
        raise DataError(f"{file.source}: the file changed while it was read; run the same command again")


def windows(file: SentenceFile) -> Iterator[Sequence[tuple[int, tuple[str, ...]]]]:
    """Yield the examples of a file, with the numbers of their lines, WINDOW at a time."""
    examples = file.examples()
    for first in examples:
        yield list(chain([first], islice(examples, WINDOW - 1)))
