"""Batches of examples that were sorted by length, as some authors make them."""

import itertools
from collections.abc import Iterable

import numpy as np

from attest.data.batches.training import ShuffledBatches, shuffled_order
from attest.data.splits.split import Split
from attest.system.random_streams import numpy_generator


class SortedBatches(ShuffledBatches):
    """Batches of examples with similar keys, such as lengths, in random order.

    `key_N` holds the key of each example. Examples are sorted by it and, in each epoch, shuffled among equal keys. A
    batch begins at each position of the sorted examples in `starts`, so all epochs have the same number of batches.
    """

    def __init__(self, split: Split, seed: int, stop: int, key_N: np.ndarray, starts: Iterable[int]) -> None:
        super().__init__(split, seed, stop)
        self.key_N, self.borders = key_N, [*starts, len(split)]

    @property
    def steps_per_epoch(self) -> int:
        return len(self.borders) - 1

    @property
    def examples_per_step(self) -> float:
        return len(self.split) / self.steps_per_epoch

    def draw_order(self, epoch: int) -> list[np.ndarray]:
        """Return the batches of an epoch, each as the positions of its examples, in random order."""
        shuffled = shuffled_order(len(self.split), self.seed, epoch)
        by_key = shuffled[np.argsort(self.key_N[shuffled], kind="stable")]
        numbers = numpy_generator(self.seed, "order of batches", epoch).permutation(self.steps_per_epoch)
        return [by_key[self.borders[number] : self.borders[number + 1]] for number in numbers]

    def examples(self, step: int) -> np.ndarray:
        epoch, number = divmod(step, self.steps_per_epoch)
        return self.epoch_orders([epoch])[epoch][number]


class BatchesByLength(SortedBatches):
    """Batches of examples with similar lengths.

    With `words`, a batch holds as many examples as have at most `words` words in total, and at least one example.
    Without it, a batch holds `batch_size` examples, and the last of an epoch may hold fewer.
    """

    def __init__(self, split: Split, batch_size: int, seed: int, stop: int = 0, *, words: int | None = None) -> None:
        words_N = split.word_counts()
        starts = range(0, len(split), batch_size) if words is None else batch_starts(np.sort(words_N), words)
        super().__init__(split, seed, stop, words_N, starts)


class BatchesOfEqualLengths(SortedBatches):
    """Batches of examples with equal lengths; for pairs, both lengths are equal.

    A batch holds at most `batch_size` examples. Since most lengths are rare, most batches are smaller.
    """

    def __init__(self, split: Split, batch_size: int, seed: int, stop: int = 0) -> None:
        _, kind_N, count = np.unique(split.sentence_lengths(), axis=0, return_inverse=True, return_counts=True)
        ends = np.cumsum(count)
        starts = itertools.chain.from_iterable(map(range, ends - count, ends, itertools.repeat(batch_size)))
        super().__init__(split, seed, stop, kind_N.ravel(), starts)  # numpy 2.0.0 returns a column


def batch_starts(sorted_words: np.ndarray, words: int) -> list[int]:
    """Return the first position of each batch if batches are filled in order, each with at most `words` words."""
    total, starts, done = np.cumsum(sorted_words), [], 0
    while done < len(total):
        starts.append(done)
        before = int(total[done - 1]) if done else 0
        done = max(done + 1, int(np.searchsorted(total, before + words, side="right")))
    return starts
