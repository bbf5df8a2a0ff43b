"""The attention maps of some sentences: what a record holds of them, and how they look as text.

Legend: T words of one sentence, D features.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from attest.data.split import UNKNOWN
from attest.data.text.tokens import tree_leaves
from attest.errors import SettingsError
from attest.inference.trained_run import Trained
from attest.models.encoders.base import NoMapsError
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.records import Record, now
from attest.syntax.trees import is_tree
from attest.system import environment

PAIRS = "attention"
"""How the names of maps from word to word begin."""
LENGTH = "length_"
"""What stands before such a name where the length (2-norm) over features is meant, not their mean."""
EMPTY = "\N{EMPTY SET}"


@dataclass(frozen=True, eq=False)
class Seen:
    """One sentence and its maps."""

    text: str
    words: tuple[str, ...]
    unknown: tuple[str, ...]
    """Its words that have no vector."""
    maps: Mapping[str, np.ndarray]

    @property
    def pairs(self) -> dict[str, np.ndarray]:
        """(T, T): how much each word looks at each other, averaged over features."""
        return {name: value for name, value in self.maps.items() if name.startswith(PAIRS)}

    @property
    def single(self) -> dict[str, np.ndarray]:
        """(T,): one number for each word, averaged over features."""
        return {
            name: value if value.ndim == 1 else value.mean(1)
            for name, value in self.maps.items()
            if not name.startswith((PAIRS, LENGTH))
        }

    @property
    def in_lengths(self) -> "Seen":
        """The same, with the length over features in place of their mean where one word looks at another."""
        lengths = {name: self.maps[LENGTH + name] for name in self.pairs}
        return replace(self, maps={**self.maps, **lengths})


def attention_id(run: str, sentences: Sequence[str]) -> str:
    return digest([run, list(sentences), versions.ATTENTION])


def seen(record: Record, arrays: Mapping[str, np.ndarray]) -> list[Seen]:
    """The sentences of an attention record."""
    return [
        Seen(
            sentence["text"],
            tuple(sentence["tokens"]),
            tuple(sentence["unknown"]),
            {key.partition(".")[2]: value for key, value in arrays.items() if key.partition(".")[0] == str(number)},
        )
        for number, sentence in enumerate(record.data["sentences"])
    ]


def shown(word: str) -> str:
    """A word as people can read it: some recipes make empty ones, and whoever types may type anything."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in word) or EMPTY


def described(sentences: Sequence[Seen]) -> str:
    """For the terminal: of each word its weights, and which word it looks at most in each map."""
    return "\n".join(line for number, sentence in enumerate(sentences, 1) for line in lines_of(number, sentence))


def lines_of(number: int, sentence: Seen) -> Iterator[str]:
    words = [shown(word) for word in sentence.words]
    columns = [["", *words]]
    columns += [[name, *(f"{weight:.3f}" for weight in weights)] for name, weights in sentence.single.items()]
    columns += [[name, *strongest(weights, words)] for name, weights in sentence.pairs.items()]
    widths = [max(map(len, column)) for column in columns]
    yield f"{number}  {' '.join(words)}"
    for row in zip(*columns, strict=True):
        yield "   " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
    if sentence.unknown:
        yield f"   no vector for {', '.join(map(shown, sentence.unknown))}"
    yield ""


def strongest(weights_TT: np.ndarray, words: Sequence[str]) -> Iterator[str]:
    """The key that each query looks at most; nothing where it may look at none."""
    for weights_T in weights_TT:
        best = int(weights_T.argmax())
        yield f"{words[best]} {weights_T[best]:.3f}" if weights_T[best] > 0 else ""


def attend(trained: Trained, sentences: Sequence[str]) -> tuple[Record, dict[str, np.ndarray]]:
    """The record, and its arrays by number of the sentence and name of the map."""
    run, texts = trained.record, list(sentences)
    taken = [taken_by(trained, text) for text in texts]
    words = trained.words(taken)
    for text, found in zip(texts, words, strict=True):
        if not found:
            raise SettingsError(f"{text!r}: a sentence without words, so there is nothing to look at")
    trained.tokens(taken)  # all new words are looked up together
    arrays: dict[str, np.ndarray] = {}
    for number, text in enumerate(taken):
        try:
            maps = trained.attend(text)
        except NoMapsError as error:
            raise SettingsError(f"{run.id}: {error}, so there is nothing to draw") from error
        arrays |= {f"{number}.{name}": reduced(name, value) for name, value in maps.items()}
        arrays |= {
            f"{number}.{LENGTH}{name}": np.linalg.norm(value.reshape(*value.shape[:2], -1), axis=2)
            for name, value in maps.items()
            if name.startswith(PAIRS)
        }
    record = Record(
        id=attention_id(run.id, texts),
        kind="attention",
        status="done",
        parents=(run.id,),
        label=run.label,
        settings=run.settings,
        versions={**run.versions, "attention": versions.ATTENTION},
        data={
            "fingerprint": run.fingerprint,
            "sentences": [
                {"text": text, "tokens": found, "unknown": [word for word in found if trained.rows[word] == UNKNOWN]}
                for text, found in zip(texts, words, strict=True)
            ],
        },
        seed=run.seed,
        environment=environment.describe(),
        finished=now(),
    )
    return record, arrays


def taken_by(trained: Trained, text: str) -> str:
    """What a run takes of a sentence: one that makes its own trees, of a tree that is given, the words alone."""
    makes_trees = trained.module.encoder.levels and trained.parser is not None
    return " ".join(tree_leaves(text)) if makes_trees and is_tree(text) else text


def reduced(name: str, value: np.ndarray) -> np.ndarray:
    """What is kept of a map: of attention between words and of gates the mean over features, all else whole."""
    from_here = 2 if name.startswith(PAIRS) else 1 if name.startswith("gate") else value.ndim
    return value.mean(tuple(range(from_here, value.ndim))) if value.ndim > from_here else value
