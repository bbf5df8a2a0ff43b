"""Trees of like length together, as a parser is trained on them.

Legend: B sentences, T words of the longest, K = T + 1 borders, F features of a word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attest.data.samplers import BatchesByLength
from attest.data.split import Ragged, Split
from attest.syntax.parsers.chart import chart_from_spans
from attest.syntax.parsers.word_features import feature_rows
from attest.syntax.trees import Tree


@dataclass(frozen=True)
class TreeBatch:
    rows_BTF: Tensor
    length_B: Tensor
    gold_BKK: Tensor
    """True at the spans of the trees."""

    def to(self, device: torch.device) -> "TreeBatch":
        return TreeBatch(self.rows_BTF.to(device), self.length_B.to(device), self.gold_BKK.to(device))


def gather_trees(trees: Sequence[Tree], rows: int) -> TreeBatch:
    """`rows`: of the table of features."""
    rows_BTF = feature_rows([tree.words for tree in trees], rows)
    spans = [(place, *span) for place, tree in enumerate(trees) for span in tree.spans]
    lengths = torch.tensor([len(tree.words) for tree in trees])
    return TreeBatch(torch.from_numpy(rows_BTF), lengths, chart_from_spans(spans, len(trees), rows_BTF.shape[1]))


class TreeBatches(BatchesByLength):
    """BatchesByLength of trees; of their words, only the number matters to the order."""

    def __init__(self, trees: Sequence[Tree], rows: int, batch_size: int, words: int, seed: int) -> None:
        offsets = np.concatenate([[0], np.cumsum([len(tree.words) for tree in trees])])
        super().__init__(
            Split.from_sentences(Ragged(np.zeros(offsets[-1], np.int32), offsets)), batch_size, seed, words=words
        )
        self.trees, self.rows = trees, rows

    def __iter__(self) -> Iterator[TreeBatch]:  # type: ignore[override]
        for step in range(self.start, self.stop):
            yield gather_trees([self.trees[place] for place in self.examples(step)], self.rows)
