"""The examples of a split: sentences of different lengths in flat arrays, and what is known of each example.

Legend: N sentences or examples, T tokens of one sentence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

PADDING, UNKNOWN = 0, 1
"""Two words with constant zero vectors. Padding is masked; an unknown word is a token like any other."""
FIRST_WORD = 2
SPLITS = ("train", "dev", "test")
"""The usual splits. A set without any has one, "all"; others may stand beside these."""


@dataclass(frozen=True)
class Ragged:
    """Sentences of different lengths in one flat array."""

    tokens: np.ndarray
    offsets: np.ndarray
    """(N + 1,): sentence i is tokens[offsets[i] : offsets[i + 1]]."""
    phrases: np.ndarray | None = None
    """Beside each token at the beginning of which phrases it stands: attest.syntax.phrases.phrase_bits."""

    @classmethod
    def from_lists(cls, sentences: Iterable[Sequence[int]]) -> "Ragged":
        lists = list(sentences)
        offsets = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum([len(sentence) for sentence in lists], out=offsets[1:])
        flat = np.fromiter((token for sentence in lists for token in sentence), np.int32, int(offsets[-1]))
        return cls(flat, offsets)

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.offsets)

    def __getitem__(self, i: int) -> np.ndarray:
        """The tokens of sentence i."""
        return self.tokens[self.offsets[i] : self.offsets[i + 1]]

    def select(self, rows: np.ndarray) -> "Ragged":
        """Some of the sentences, in the given order."""
        lengths = self.lengths[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        where = np.repeat(self.offsets[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return Ragged(self.tokens[where], offsets, None if self.phrases is None else self.phrases[where])

    def padded_tokens(self, rows: np.ndarray) -> np.ndarray:
        """(N, T) tokens of the chosen sentences, as wide as the longest of them and never narrower than 1."""
        return self.pad(self.tokens, rows)

    def padded_phrases(self, rows: np.ndarray) -> np.ndarray | None:
        """(N, T) the same of `phrases`."""
        return None if self.phrases is None else self.pad(self.phrases, rows)

    def pad(self, flat: np.ndarray, rows: np.ndarray) -> np.ndarray:
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
    labels: np.ndarray
    rows: np.ndarray
    """Row of each example in the official file."""
    genres: np.ndarray
    """Index into Corpus.genres, or -1."""
    scores: np.ndarray | None = None
    """(N,) grades beside the labels, where the files have them: SICK's relatedness."""

    @classmethod
    def from_sentences(cls, *sentences: Ragged) -> "Split":
        """Sentences, or pairs of them, of which nothing else is known."""
        number = len(sentences[0].lengths)
        return cls(sentences, np.full(number, -1), np.arange(number), np.full(number, -1, np.int16))

    def __len__(self) -> int:
        return len(self.labels)

    def sentence_lengths(self) -> np.ndarray:
        """(N, sentences): the words of each sentence."""
        return np.stack([ragged.lengths for ragged in self.sentences], axis=1)

    def max_lengths(self) -> np.ndarray:
        """The longest sentence of each example."""
        return self.sentence_lengths().max(1)

    def word_counts(self) -> np.ndarray:
        """The words of each example, in all its sentences."""
        return self.sentence_lengths().sum(1)

    def same_bags(self) -> np.ndarray:
        """(N,) whether both sentences of a pair are the same words in whatever order, as a model sees them: words
        without a row of their own are one word."""
        first, second = self.sentences
        same_N = first.lengths == second.lengths
        for i in np.flatnonzero(same_N).tolist():
            same_N[i] = np.array_equal(np.sort(first[i]), np.sort(second[i]))
        return same_N

    @cached_property
    def distinct_examples(self) -> tuple[np.ndarray, np.ndarray]:
        """(M,) one of all examples that are the same to a model, and (N,) for each example its place among them."""
        parts = [
            (flat, ragged.offsets.tolist())
            for ragged in self.sentences
            for flat in (ragged.tokens, ragged.phrases)
            if flat is not None
        ]
        places: dict[tuple[bytes, ...], int] = {}
        first_M, like_N = [], np.empty(len(self), np.int64)
        for i in range(len(self)):
            place = places.setdefault(tuple(flat[at[i] : at[i + 1]].tobytes() for flat, at in parts), len(places))
            like_N[i] = place
            if place == len(first_M):
                first_M.append(i)
        return np.array(first_M, np.int64), like_N

    def select(self, which: np.ndarray) -> "Split":
        """Some of the examples, in the given order."""
        return Split(
            sentences=tuple(ragged.select(which) for ragged in self.sentences),
            labels=self.labels[which],
            rows=self.rows[which],
            genres=self.genres[which],
            scores=None if self.scores is None else self.scores[which],
        )
