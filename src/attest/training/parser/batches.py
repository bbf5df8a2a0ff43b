"""Batches of trees of similar length, to train a parser.

Legend: B sentences, T words of the longest, K = T + 1 borders, F features of a word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attest.data.batches.sorted_batches import BatchesByLength
from attest.data.splits.split import Ragged, Split
from attest.syntax.parsers.chart import chart_from_spans
from attest.syntax.parsers.word_features import feature_rows
from attest.syntax.trees import Tree


@dataclass(frozen=True)
class TreeBatch:
    """A batch of sentences with their gold trees."""

    rows_BTF: Tensor
    """The features of the words, as row numbers of the table of feature vectors."""
    length_B: Tensor
    """The number of words of each sentence."""
    gold_BKK: Tensor
    """The charts of the sentences, which are True at the spans of the gold tree."""

    def to(self, device: torch.device) -> "TreeBatch":
        return TreeBatch(self.rows_BTF.to(device), self.length_B.to(device), self.gold_BKK.to(device))


def gather_trees(trees: Sequence[Tree], table_size: int) -> TreeBatch:
    """Return the trees as a batch; `table_size` is the number of rows of the table of feature vectors."""
    rows_BTF = feature_rows([tree.words for tree in trees], table_size)
    spans = [(place, *span) for place, tree in enumerate(trees) for span in tree.spans]
    lengths = torch.tensor([len(tree.words) for tree in trees])
    return TreeBatch(torch.from_numpy(rows_BTF), lengths, chart_from_spans(spans, len(trees), rows_BTF.shape[1]))


class TreeBatches(BatchesByLength):
    """The training batches of trees, each of sentences with similar lengths (see BatchesByLength)."""

    def __init__(self, trees: Sequence[Tree], table_size: int, batch_size: int, words: int, seed: int) -> None:
        offsets = np.concatenate([[0], np.cumsum([len(tree.words) for tree in trees])])
        super().__init__(
            Split.from_sentences(Ragged(np.zeros(offsets[-1], np.int32), offsets)), batch_size, seed, words=words
        )
        self.trees, self.table_size = trees, table_size

    def __iter__(self) -> Iterator[TreeBatch]:  # type: ignore[override]
        for step in range(self.start, self.stop):
            yield gather_trees([self.trees[place] for place in self.examples(step)], self.table_size)
