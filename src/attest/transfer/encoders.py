"""Encoders that learn nothing: averages of word vectors.

Legend: T tokens of a sentence, E features of a word vector.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from attest.data.files import Source
from attest.data.text.vectors import read_vectors
from attest.errors import SettingsError
from attest.runs import versions
from attest.runs.identity import digest
from attest.transfer.run import Encoder

Kind = Literal["average", "average_max"]


class Average:
    """The mean of the vectors of a sentence's words and, with `largest`, their largest values beside it.

    A word is looked up as it stands, then in lower case; words without a vector do not count, and a sentence of none
    but such is zero.
    """

    def __init__(self, vectors: Mapping[str, np.ndarray], size: int, *, largest: bool = False) -> None:
        self.vectors, self.size, self.largest = vectors, size, largest

    def __call__(self, sentences: Sequence[str]) -> np.ndarray:
        return np.stack([self.of(sentence) for sentence in sentences])

    def of(self, sentence: str) -> np.ndarray:
        found = [vector for word in sentence.split() if (vector := self.look_up(word)) is not None]
        words_TE = np.stack(found) if found else np.zeros((1, self.size), np.float32)
        parts = [words_TE.mean(0), words_TE.max(0)] if self.largest else [words_TE.mean(0)]
        return np.concatenate(parts)

    def look_up(self, word: str) -> np.ndarray | None:
        vector = self.vectors.get(word)
        return self.vectors.get(word.lower()) if vector is None else vector


def baseline(kind: Kind, source: Source, size: int, sentences: Iterable[str], expected: int | None = None) -> Encoder:
    """The baseline on the word vectors of a file, of which only the words of `sentences` are read. `expected` are the
    rows of the official file."""
    words = {word for sentence in sentences for word in sentence.split()}
    found = read_vectors(source, words | {word.lower() for word in words}, size)
    identity = digest([kind, versions.BASELINE_ENCODER, source.sha256])
    encode = Average(found.vectors, size, largest=kind == "average_max")
    rows = {"rows": found.rows, "expected": expected}
    return Encoder(f"{kind} {source.path.name}", identity, encode, vectors=rows)


def sentence_transformer(name: str) -> Encoder:
    """The model of this name or folder. It is known by its name: a folder whose model changes needs another one."""
    try:
        from sentence_transformers import SentenceTransformer  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise SettingsError(
            f"{name} needs sentence-transformers: pip install 'attest[sentence-transformers]'"
        ) from error
    model = SentenceTransformer(name)

    def encode(sentences: Sequence[str]) -> np.ndarray:
        return model.encode(list(sentences), show_progress_bar=False, convert_to_numpy=True)

    return Encoder(name, digest(["sentence-transformers", name]), encode)
