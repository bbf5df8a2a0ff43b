"""A split as its files give it: every example, with provisional numbers of words.

Legend: N examples.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from attest.data.splits.split import Split
from attest.errors import DataError

NO_CLASS = -1
"""The number of the label of an example without a class."""


@dataclass(frozen=True)
class ProvisionalSplit:
    """All examples of a split, before unusable ones are dropped.

    Tokens are provisional word numbers, in the order in which words were first read. `renumber_words` replaces them by
    rows of the table of word vectors. The label of an example without a class is NO_CLASS.
    """

    split: Split
    has_parses: np.ndarray
    """(N,) whether every sentence of the example has a tree in the data."""
    cut_off: np.ndarray
    """(N,) the number of tokens of the example beyond the token limit."""
    errors: Mapping[int, DataError] = field(default_factory=dict)
    """The errors of examples with a sentence of too many tokens, by position; `drop_unusable` raises the first one
    whose example is kept."""

    def __len__(self) -> int:
        return len(self.split)
