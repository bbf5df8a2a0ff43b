"""Splits: examples as flat arrays of sentences, with labels, scores and genres.

Legend: N sentences or examples, T tokens of one sentence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

PADDING, UNKNOWN = 0, 1
"""The two reserved word numbers, with constant zero vectors. Padding is masked; an unknown word is not."""
FIRST_WORD = 2
"""The number of the first word after the reserved ones."""
SPLITS = ("train", "dev", "test")
"""The standard splits. A data set may have more, and a set without splits has a single one named POOL."""
POOL = "all"
"""The name under which a data set without official splits holds all its examples."""
OTHER_NAMES = {"training": "train", "development": "dev", "valid": "dev", "validation": "dev", "val": "dev"}
"""Names that others give to standard splits -> ours. As further splits they would be evaluated, and not selected on."""


@dataclass(frozen=True)
class Ragged:
    """Sentences of different lengths, one after another in a flat array."""

    tokens: np.ndarray
    """The tokens of all sentences, each as the number of its word (before `renumber_words`) or as its row in the table
    of word vectors."""
    offsets: np.ndarray
    """(N + 1,) the borders of sentences: sentence i is tokens[offsets[i] : offsets[i + 1]]."""
    phrases: np.ndarray | None = None
    """The bits of each token that say where phrases begin (`phrase_bits`); None if the sentences have no phrases."""

    @classmethod
    def from_lists(cls, sentences: Iterable[Sequence[int]]) -> "Ragged":
        """Return sentences that are given as lists of word numbers."""
        lists = list(sentences)
        offsets = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum([len(sentence) for sentence in lists], out=offsets[1:])
        flat = np.fromiter((token for sentence in lists for token in sentence), np.int32, int(offsets[-1]))
        return cls(flat, offsets)

    @property
    def lengths(self) -> np.ndarray:
        """(N,) the number of tokens of each sentence."""
        return np.diff(self.offsets)

    def __getitem__(self, i: int) -> np.ndarray:
        """Return the tokens of sentence i."""
        return self.tokens[self.offsets[i] : self.offsets[i + 1]]

    def select(self, rows: np.ndarray) -> "Ragged":
        """Return the sentences at the indices `rows`, in that order."""
        lengths = self.lengths[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        where = np.repeat(self.offsets[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return Ragged(self.tokens[where], offsets, None if self.phrases is None else self.phrases[where])

    def padded_tokens(self, rows: np.ndarray) -> np.ndarray:
        """Return (N, T) the tokens of the sentences at `rows`, padded to the longest of them; T is at least 1."""
        return self.pad(self.tokens, rows)

    def padded_phrases(self, rows: np.ndarray) -> np.ndarray | None:
        """Return (N, T) the phrase bits of the sentences at `rows`, padded like the tokens; None without phrases."""
        return None if self.phrases is None else self.pad(self.phrases, rows)

    def pad(self, flat: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return (N, T) int64 the values of a flat array for the sentences at `rows`, followed by zeros."""
        starts, ends = self.offsets[rows], self.offsets[rows + 1]
        where_NT = starts[:, None] + np.arange(max(1, int((ends - starts).max(initial=0))))
        real_NT = where_NT < ends[:, None]
        padded_NT = np.full(real_NT.shape, PADDING, dtype=np.int64)
        padded_NT[real_NT] = flat[where_NT[real_NT]]
        return padded_NT


@dataclass(frozen=True)
class Split:
    """Labelled examples of one sentence or two."""

    sentences: tuple[Ragged, ...]
    """All first sentences; for pairs, also all second sentences."""
    labels: np.ndarray
    """(N,) the number of each example's class."""
    rows: np.ndarray
    """(N,) the row of each example in the official file."""
    genres: np.ndarray
    """(N,) the index of each example's genre in `Corpus.genres`, or -1."""
    scores: np.ndarray | None = None
    """(N,) scores such as SICK's relatedness; None if an example has no score."""
    folds: np.ndarray | None = None
    """(N,) the number of each example's fold; None if the file has no column of folds."""

    @classmethod
    def from_sentences(cls, *sentences: Ragged) -> "Split":
        """Return unlabelled sentences, or unlabelled pairs if first and second sentences are given."""
        size = len(sentences[0].lengths)
        return cls(sentences, np.full(size, -1), np.arange(size), np.full(size, -1, np.int16))

    def __len__(self) -> int:
        return len(self.labels)

    def sentence_lengths(self) -> np.ndarray:
        """Return (N, sentences an example) the number of tokens of each sentence."""
        return np.stack([ragged.lengths for ragged in self.sentences], axis=1)

    def max_lengths(self) -> np.ndarray:
        """Return (N,) the number of tokens of each example's longest sentence."""
        return self.sentence_lengths().max(1)

    def word_counts(self) -> np.ndarray:
        """Return (N,) the number of tokens of each example in all its sentences."""
        return self.sentence_lengths().sum(1)

    def same_bags(self) -> np.ndarray:
        """Return (N,) whether both sentences of a pair hold the same words in any order.

        Words are compared as the model sees them: all unknown words are equal.
        """
        first, second = self.sentences
        same_N = first.lengths == second.lengths
        for i in np.flatnonzero(same_N).tolist():
            same_N[i] = np.array_equal(np.sort(first[i]), np.sort(second[i]))
        return same_N

    @cached_property
    def distinct_examples(self) -> tuple[np.ndarray, np.ndarray]:
        """The index (M,) of the first example of each distinct input, and the number (N,) of each example's input."""
        arrays = [
            (flat, ragged.offsets.tolist())
            for ragged in self.sentences
            for flat in (ragged.tokens, ragged.phrases)
            if flat is not None
        ]
        places: dict[tuple[bytes, ...], int] = {}
        first_M, place_N = [], np.empty(len(self), np.int64)
        for i in range(len(self)):
            key = tuple(flat[offsets[i] : offsets[i + 1]].tobytes() for flat, offsets in arrays)
            place_N[i] = places.setdefault(key, len(places))
            if place_N[i] == len(first_M):
                first_M.append(i)
        return np.array(first_M, np.int64), place_N

    def select(self, which: np.ndarray) -> "Split":
        """Return the examples at the indices `which`, in that order."""
        return Split(
            sentences=tuple(ragged.select(which) for ragged in self.sentences),
            labels=self.labels[which],
            rows=self.rows[which],
            genres=self.genres[which],
            scores=None if self.scores is None else self.scores[which],
            folds=None if self.folds is None else self.folds[which],
        )
