"""The builder of a split: it takes the examples of files one by one, and returns them in arrays of numpy."""

from array import array
from collections.abc import Sequence

import numpy as np

from attest.data.phrases import join_bits
from attest.data.readers import Example
from attest.data.splits.provisional import ProvisionalSplit
from attest.data.splits.split import Ragged, Split
from attest.errors import DataError


class RaggedBuilder:
    """The builder of all first sentences of the examples of a split, or of all second ones."""

    def __init__(self) -> None:
        self.tokens, self.lengths = array("i"), array("q")
        self.phrases: list[np.ndarray] = []

    def add(self, tokens: Sequence[int], phrases: np.ndarray | None) -> None:
        """Add a sentence by its word numbers and, if the sentences of the split have phrases, its phrase bits (T,)."""
        self.tokens.extend(tokens)
        self.lengths.append(len(tokens))
        if phrases is not None:
            self.phrases.append(phrases)

    def finish(self) -> Ragged:
        """Return the sentences. Their tokens stay in the memory of this builder, which takes no more sentences."""
        offsets = np.concatenate([[0], np.cumsum(np.array(self.lengths, np.int64))])
        return Ragged(np.asarray(self.tokens), offsets, join_bits(self.phrases) if self.phrases else None)


class SplitBuilder:
    """The builder of the examples of a split, with a column for each property.

    Columns are arrays of Python's standard library, which grow and need no object for each number.
    """

    def __init__(self) -> None:
        self.labels, self.rows, self.genres = array("q"), array("q"), array("h")
        self.scores, self.folds = array("d"), array("h")
        self.has_parses, self.cut_off = array("b"), array("q")
        self.sides: list[RaggedBuilder] = []
        """The builders of the sentences: one for single sentences, two for pairs."""
        self.errors: dict[int, DataError] = {}

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def next_row(self) -> int:
        """The row that follows the last one: the first row of the next file."""
        return self.rows[-1] + 1 if self.rows else 0

    def add(self, example: Example, label: int, genre: int, row: int) -> None:
        """Add an example by the numbers of its label, genre and row; `add_sentence` adds each of its sentences."""
        if not self.sides:
            self.sides = [RaggedBuilder() for _ in example.sentences]
        self.labels.append(label)
        self.rows.append(row)
        self.genres.append(genre)
        self.scores.append(np.nan if example.score is None else example.score)
        if example.fold is not None:
            self.folds.append(example.fold)
        self.has_parses.append(None not in example.parses)
        self.cut_off.append(0)

    def add_sentence(self, side: int, tokens: Sequence[int], cut_off: int, phrases: np.ndarray | None) -> None:
        """Add a sentence of the last example (see `RaggedBuilder.add`), without the `cut_off` tokens at its end."""
        self.sides[side].add(tokens, phrases)
        self.cut_off[-1] += cut_off

    def add_error(self, error: DataError) -> None:
        """Keep the error of the last example, unless an earlier sentence of it has one."""
        self.errors.setdefault(len(self) - 1, error)

    def last_has_empty_sentence(self) -> bool:
        """Return whether a sentence of the last example has no tokens."""
        return not all(side.lengths[-1] for side in self.sides)

    def finish(self) -> ProvisionalSplit:
        """Return the examples in arrays of numpy."""
        split = Split(
            sentences=tuple(side.finish() for side in self.sides),
            labels=np.array(self.labels, np.int64),
            rows=np.array(self.rows, np.int64),
            genres=np.array(self.genres, np.int16),
            scores=None if np.isnan(self.scores).any() else np.array(self.scores, np.float64),
            folds=np.array(self.folds, np.int16) if self.folds else None,
        )
        return ProvisionalSplit(split, np.array(self.has_parses, bool), np.array(self.cut_off, np.int64), self.errors)
