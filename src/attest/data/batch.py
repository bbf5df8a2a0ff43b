"""Batches: examples padded to a common length.

Legend: B batch, T time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attest.data.split import Split


@dataclass(frozen=True)
class Batch:
    """A batch of examples. First and second sentences of pairs are padded to different lengths."""

    sentences: tuple[Tensor, ...]
    """(B, T) int64 tokens for each sentence of an example, followed by padding."""
    labels: Tensor
    """(B,) the number of each example's class."""
    index: np.ndarray
    """(B,) the positions of the examples in the split."""
    scores: Tensor | None = None
    """(B,) float32 scores such as relatedness; None if the data set has none."""
    phrases: tuple[Tensor, ...] | None = None
    """(B, T) bits for each sentence that say where phrases begin (`phrase_bits`); None if the corpus has no phrases."""

    def to(self, device: torch.device) -> "Batch":
        """Return the batch with its tensors on `device`."""
        scores = None if self.scores is None else self.scores.to(device)
        sentences = tuple(tokens.to(device) for tokens in self.sentences)
        phrases = None if self.phrases is None else tuple(bits.to(device) for bits in self.phrases)
        return Batch(sentences, self.labels.to(device), self.index, scores, phrases)


def gather(split: Split, index: np.ndarray) -> Batch:
    """Return the examples at the positions `index` as one batch."""
    phrases = [bits for ragged in split.sentences if (bits := ragged.padded_phrases(index)) is not None]
    return Batch(
        tuple(torch.from_numpy(ragged.padded_tokens(index)) for ragged in split.sentences),
        torch.from_numpy(split.labels[index]),
        index,
        None if split.scores is None else torch.from_numpy(np.asarray(split.scores[index], np.float32)),
        tuple(map(torch.from_numpy, phrases)) or None,
    )


class EvaluationBatches:
    """Batches that hold every example once, sorted by length, so that there is little padding.

    Order and batch size change the speed, but no result.
    """

    def __init__(self, split: Split, batch_size: int) -> None:
        self.split, self.batch_size = split, batch_size

    def __iter__(self) -> Iterator[Batch]:
        by_length = np.argsort(self.split.max_lengths(), kind="stable")
        for start in range(0, len(by_length), self.batch_size):
            yield gather(self.split, by_length[start : start + self.batch_size])
