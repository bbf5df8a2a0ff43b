"""Encoders that Attest does not train: averages of word vectors, and models of Sentence-Transformers.

Legend: T tokens of a sentence, E features of a word vector.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from attest.data.files.source import Source
from attest.data.text.vectors import read_vectors
from attest.errors import SettingsError, one_line
from attest.runs import versions
from attest.runs.identity import digest
from attest.system.failures import raise_if_machine_failed
from attest.transfer.run import EvaluatedEncoder

Kind = Literal["average", "average_max"]


class Average:
    """An encoder that returns the mean of a sentence's word vectors (E,).

    If `largest` is true, the maximum of each feature follows the mean, (2 E,). A word is looked up as it is, then in
    lower case. Words without a vector are left out; a sentence without any word vector gets zeros.
    """

    def __init__(self, vectors: Mapping[str, np.ndarray], size: int, *, largest: bool = False) -> None:
        self.vectors, self.size, self.largest = vectors, size, largest

    def __call__(self, sentences: Sequence[str]) -> np.ndarray:
        return np.stack([self.encode_sentence(sentence) for sentence in sentences])

    def encode_sentence(self, sentence: str) -> np.ndarray:
        """Return the vector of one sentence."""
        vectors = [vector for word in sentence.split() if (vector := self.look_up(word)) is not None]
        words_TE = np.stack(vectors) if vectors else np.zeros((1, self.size), np.float32)
        return np.concatenate([words_TE.mean(0), words_TE.max(0)]) if self.largest else words_TE.mean(0)

    def look_up(self, word: str) -> np.ndarray | None:
        """Return the vector (E,) of a word, or None if it has none."""
        vector = self.vectors.get(word)
        return self.vectors.get(word.lower()) if vector is None else vector


def baseline_encoder(
    kind: Kind, source: Source, size: int, sentences: Iterable[str], expected: int | None = None
) -> EvaluatedEncoder:
    """Return an encoder that averages word vectors, which are read from a file for the words of `sentences` alone.

    `kind` is average for the mean, or average_max for the mean and the maximum; `size` is the size of a word vector,
    and `expected` the number of rows of the official file.
    """
    words = {word for sentence in sentences for word in sentence.split()}
    file = read_vectors(source, words | {word.lower() for word in words}, size)
    identity = digest([kind, versions.BASELINE_ENCODER, source.sha256])
    encode = Average(file.vectors, size, largest=kind == "average_max")
    rows = {"rows": file.rows, "expected": expected}
    return EvaluatedEncoder(f"{kind} {source.path.name}", identity, encode, vectors=rows)


def sentence_transformer(name: str) -> EvaluatedEncoder:
    """Return the Sentence-Transformers model of this name or folder.

    The name is part of the cache key, so a folder whose model changes needs a new name. Raise SettingsError if the
    package sentence-transformers is not installed, or if it cannot load the model.
    """
    try:
        from sentence_transformers import SentenceTransformer  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise SettingsError(
            f"{name}: the package sentence-transformers is not installed; type pip install "
            "'attest[sentence-transformers]'"
        ) from error
    try:
        model = SentenceTransformer(name)
    except Exception as error:  # each kind of model raises errors of its own
        raise_if_machine_failed(error)
        hint = (
            '; for a folder that attest export wrote, type its path alone, without the prefix "sentence-transformers:"'
            if Path(name).is_dir()
            else ""
        )
        raise SettingsError(f"{name}: Sentence Transformers cannot load it ({one_line(error)}){hint}") from error

    def encode(sentences: Sequence[str]) -> np.ndarray:
        return model.encode(list(sentences), show_progress_bar=False, convert_to_numpy=True)

    return EvaluatedEncoder(name, digest(["sentence-transformers", name]), encode)
