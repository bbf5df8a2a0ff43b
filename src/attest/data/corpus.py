"""A corpus ready for training: tokens in memory-mapped arrays, and the table of word vectors.

Legend: V words, E features of a word vector.
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attest.data.splits.split import Ragged, Split
from attest.errors import StorageError, one_line
from attest.system.arrays import READ_ERRORS
from attest.system.failures import raise_if_machine_failed
from attest.system.files import write_json

DAMAGES = (*READ_ERRORS, TypeError)
"""The errors that reading a damaged corpus raises: TypeError if details.json holds something else than details."""


@dataclass(frozen=True)
class Corpus:
    """All splits, the vocabulary and the word vectors."""

    splits: Mapping[str, Split]
    words: Sequence[str]
    """The word of each row of `vectors`: two reserved rows, training words, words of later splits, then the names of
    shared rows, if any."""
    training_words: int
    """The number of rows for training words; they follow the two reserved rows. With vectors.unknown=hashed, training
    words without a pretrained vector have no row of their own."""
    vectors: np.ndarray
    """(V, E) float32 word vectors; NaN in rows without a pretrained vector, which `WordVectors` draws at random."""
    genres: Sequence[str]
    """The names of the genres; `Split.genres` holds indices into them."""
    facts: Mapping[str, Any]
    """Counts, coverage and checksums of the data, which are copied into the record of each run."""

    @property
    def fingerprint(self) -> str:
        """The hash of the files' contents; it does not depend on their location or compression."""
        return str(self.facts["fingerprint"])


def save_corpus(folder: Path, corpus: Corpus) -> None:
    """Write a corpus to an existing folder: one .npy file for each array, and details.json, which lists the arrays."""
    arrays: list[str] = []

    def write(name: str, array: np.ndarray) -> None:
        content = io.BytesIO()  # np.save to a file does not report a full disk
        np.save(content, array)
        (folder / f"{name}.npy").write_bytes(content.getbuffer())
        arrays.append(name)

    write("vectors", corpus.vectors)
    for name, split in corpus.splits.items():
        for key in ("labels", "rows", "genres"):
            write(f"{name}.{key}", getattr(split, key))
        for key in ("scores", "folds"):
            if (values := getattr(split, key)) is not None:
                write(f"{name}.{key}", values)
        for number, ragged in enumerate(split.sentences):
            write(f"{name}.{number}.tokens", ragged.tokens)
            write(f"{name}.{number}.offsets", ragged.offsets)
            if ragged.phrases is not None:
                write(f"{name}.{number}.phrases", ragged.phrases)
    details = {
        "arrays": arrays,
        "splits": list(corpus.splits),
        "sentences": len(next(iter(corpus.splits.values())).sentences),
        "words": corpus.words,
        "training_words": corpus.training_words,
        "genres": corpus.genres,
        "facts": corpus.facts,
    }
    write_json(folder / "details.json", details)


def load_corpus(folder: Path) -> Corpus:
    """Open a corpus that `save_corpus` wrote. Arrays over 1 MiB are memory-mapped and read when they are used.

    Raise StorageError if the folder is missing, is damaged or lacks an array, or if an earlier version that did not
    list the arrays wrote it. Raise MachineError if the disk fails.
    """
    try:
        return read_corpus(folder)
    except DAMAGES as error:
        raise_if_machine_failed(error)
        raise StorageError(f"{folder}: this cached corpus is not readable ({one_line(error)}); delete it") from error


def read_corpus(folder: Path) -> Corpus:
    """Open a corpus as `load_corpus` does, but raise one of the DAMAGES if it cannot be read."""

    def array(name: str) -> np.ndarray:
        path = folder / f"{name}.npy"
        loaded = np.load(path, allow_pickle=False, mmap_mode="r" if path.stat().st_size > 2**20 else None)
        return np.asarray(loaded)

    details = json.loads((folder / "details.json").read_text(encoding="utf-8"))
    listed = set(details["arrays"])

    def array_if_listed(name: str) -> np.ndarray | None:
        return array(name) if name in listed else None

    splits = {
        name: Split(
            sentences=tuple(
                Ragged(
                    array(f"{name}.{number}.tokens"),
                    array(f"{name}.{number}.offsets"),
                    array_if_listed(f"{name}.{number}.phrases"),
                )
                for number in range(details["sentences"])
            ),
            labels=array(f"{name}.labels"),
            rows=array(f"{name}.rows"),
            genres=array(f"{name}.genres"),
            scores=array_if_listed(f"{name}.scores"),
            folds=array_if_listed(f"{name}.folds"),
        )
        for name in details["splits"]
    }
    return Corpus(
        splits=splits,
        words=details["words"],
        training_words=details["training_words"],
        vectors=array("vectors"),
        genres=details["genres"],
        facts=details["facts"],
    )
