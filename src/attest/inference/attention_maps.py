"""The attention maps of sentences, as a record stores them, and formatted as text.

Legend: T words of one sentence, D features.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.records import Record

PAIR_PREFIX = "attention"
"""The prefix of the names of maps from words to words."""
NORM_PREFIX = "length_"
"""The prefix, before the name of a map from words to words, of the map that holds 2-norms instead of means."""
EMPTY_WORD = "\N{EMPTY SET}"


@dataclass(frozen=True, eq=False)
class SentenceMaps:
    """A sentence and its attention maps."""

    text: str
    words: tuple[str, ...]
    unknown: tuple[str, ...]
    """The words that have no vector."""
    maps: Mapping[str, np.ndarray]
    """The maps by name. Maps from words to words and gates are means over features, and others are kept in full.

    For each map from words to words, a further map, whose name begins with NORM_PREFIX, holds 2-norms."""

    @property
    def pair_weights(self) -> dict[str, np.ndarray]:
        """The maps from words to words by name: (query T, key T), averaged over features."""
        return {name: value for name, value in self.maps.items() if name.startswith(PAIR_PREFIX)}

    @property
    def word_weights(self) -> dict[str, np.ndarray]:
        """The maps that weight single words, by name: (T,), averaged over features."""
        return {
            name: value if value.ndim == 1 else value.mean(1)
            for name, value in self.maps.items()
            if not name.startswith((PAIR_PREFIX, NORM_PREFIX))
        }

    @property
    def with_norms(self) -> "SentenceMaps":
        """A copy whose `pair_weights` are 2-norms over features instead of means."""
        norms = {name: self.maps[NORM_PREFIX + name] for name in self.pair_weights}
        return replace(self, maps={**self.maps, **norms})


def attention_id(run: str, sentences: Sequence[str]) -> str:
    """Return the id of the attention record of a run, given by its id, for these sentences in this order."""
    return digest([run, list(sentences), versions.ATTENTION])


def sentence_maps(record: Record, arrays: Mapping[str, np.ndarray]) -> list[SentenceMaps]:
    """Return the sentences of an attention record with their maps, from the record and its stored arrays."""
    return [
        SentenceMaps(
            sentence["text"],
            tuple(sentence["tokens"]),
            tuple(sentence["unknown"]),
            {key.partition(".")[2]: value for key, value in arrays.items() if key.partition(".")[0] == str(number)},
        )
        for number, sentence in enumerate(record.data["sentences"])
    ]


def printable_word(word: str) -> str:
    """Return the word with a replacement for each unprintable character; for an empty word, the sign of the empty set.

    Some settings of the text produce empty words, and a typed sentence can contain any character.
    """
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in word) or EMPTY_WORD


def format_weights(sentences: Sequence[SentenceMaps]) -> str:
    """Return the weights of sentences as text for the terminal: a table for each sentence, with a line for each word.

    A line has a column for each map: the weight of its word in a map of single words or, for a map from words to words,
    the word that its word attends to most, with the weight.
    """
    return "\n".join(line for number, sentence in enumerate(sentences, 1) for line in sentence_lines(number, sentence))


def sentence_lines(number: int, sentence: SentenceMaps) -> Iterator[str]:
    """Yield the lines of the table of one sentence, its number and words first."""
    words = [printable_word(word) for word in sentence.words]
    columns = [["", *words]]
    columns += [[name, *(f"{weight:.3f}" for weight in weights)] for name, weights in sentence.word_weights.items()]
    columns += [[name, *strongest_keys(weights, words)] for name, weights in sentence.pair_weights.items()]
    widths = [max(map(len, column)) for column in columns]
    yield f"{number}  {' '.join(words)}"
    for row in zip(*columns, strict=True):
        yield "   " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
    if sentence.unknown:
        yield f"   no vector for {', '.join(map(printable_word, sentence.unknown))}"
    yield ""


def strongest_keys(weights_TT: np.ndarray, words: Sequence[str]) -> Iterator[str]:
    """Yield a text for each query: the word it attends to most, and the weight; empty if all its keys are masked."""
    for weights_T in weights_TT:
        best = int(weights_T.argmax())
        yield f"{words[best]} {weights_T[best]:.3f}" if weights_T[best] > 0 else ""
