"""Batches: examples padded to a common length.

Legend: B batch, T tokens of the longest sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from attest.data.splits.split import Split


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
    """(B,) float32 scores such as relatedness; None if an example has no score."""
    phrases: tuple[Tensor, ...] | None = None
    """(B, T) bits for each sentence that say where phrases begin (`phrase_bits`); None if the corpus has no phrases.

    They stay on the CPU, so that no size of a tensor is requested from a device."""
    lengths: tuple[list[int], ...] | None = None
    """The number of tokens of each sentence, on the CPU, so that no size is requested from a device; None if
    the maker of the batch did not count them."""

    def map(self, function: Callable[[Tensor], Tensor]) -> "Batch":
        """Return the batch with the results of a function in place of its tensors, except its phrases."""
        return replace(
            self,
            sentences=tuple(map(function, self.sentences)),
            labels=function(self.labels),
            scores=None if self.scores is None else function(self.scores),
        )

    def pinned(self, device: torch.device) -> "Batch":
        """Return the batch in memory from which a GPU copies without a wait; for other devices, the batch itself."""
        return self.map(Tensor.pin_memory) if device.type == "cuda" else self

    def to(self, device: torch.device) -> "Batch":
        """Return the batch with its tensors on `device`; the CPU does not wait for a GPU."""
        return self.map(lambda tensor: tensor.to(device, non_blocking=device.type == "cuda"))


def batch_lengths(split: Split, index: np.ndarray) -> tuple[list[int], ...]:
    """Return the number of tokens of each sentence of the examples at `index`, for each side."""
    return tuple((ragged.offsets[index + 1] - ragged.offsets[index]).tolist() for ragged in split.sentences)


def batch_phrases(split: Split, index: np.ndarray) -> tuple[Tensor, ...] | None:
    """Return the bits of the phrases (B, T) of each sentence of the examples at `index`, or None if there are none."""
    phrases = [bits for ragged in split.sentences if (bits := ragged.padded_phrases(index)) is not None]
    return tuple(map(torch.from_numpy, phrases)) or None


def gather(split: Split, index: np.ndarray) -> Batch:
    """Return the examples at the positions `index` as one batch, on the CPU."""
    return Batch(
        tuple(torch.from_numpy(ragged.padded_tokens(index)) for ragged in split.sentences),
        torch.from_numpy(split.labels[index]),
        index,
        None if split.scores is None else torch.from_numpy(np.asarray(split.scores[index], np.float32)),
        batch_phrases(split, index),
        batch_lengths(split, index),
    )
