"""Examples as padded batches.

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
    """Padded sentences; each sentence of the pair is as wide as its own longest."""

    sentences: tuple[Tensor, ...]
    """Each (B, T) int64 tokens, padding behind them."""
    labels: Tensor
    """(B,)"""
    index: np.ndarray
    """(B,) positions in the split."""
    scores: Tensor | None = None
    """(B,) grades beside the labels, where the set has them."""
    phrases: tuple[Tensor, ...] | None = None
    """Each (B, T): attest.syntax.phrases.phrase_bits of each token, where the corpus has phrases."""

    def to(self, device: torch.device) -> "Batch":
        scores = None if self.scores is None else self.scores.to(device)
        sentences = tuple(tokens.to(device) for tokens in self.sentences)
        phrases = None if self.phrases is None else tuple(bits.to(device) for bits in self.phrases)
        return Batch(sentences, self.labels.to(device), self.index, scores, phrases)


def gather(split: Split, index: np.ndarray) -> Batch:
    """The examples at `index` as one batch."""
    phrases = [bits for ragged in split.sentences if (bits := ragged.padded_phrases(index)) is not None]
    return Batch(
        tuple(torch.from_numpy(ragged.padded_tokens(index)) for ragged in split.sentences),
        torch.from_numpy(split.labels[index]),
        index,
        None if split.scores is None else torch.from_numpy(np.asarray(split.scores[index], np.float32)),
        tuple(map(torch.from_numpy, phrases)) or None,
    )


class EvaluationBatches:
    """Every example once, sentences of like length together; order and batch size change nothing but the speed."""

    def __init__(self, split: Split, batch_size: int) -> None:
        self.split, self.batch_size = split, batch_size

    def __iter__(self) -> Iterator[Batch]:
        by_length = np.argsort(self.split.max_lengths(), kind="stable")
        for start in range(0, len(by_length), self.batch_size):
            yield gather(self.split, by_length[start : start + self.batch_size])
