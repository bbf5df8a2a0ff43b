"""The file of word vectors that settings name; `vectors.file=none` names none, and all vectors begin at random."""

from collections.abc import Collection
from pathlib import Path

from attest.config.settings import Vectors
from attest.config.vector_files import NO_FILE
from attest.data.files.find_files import DATA_LIST, find_source
from attest.data.files.source import Source
from attest.data.text.vectors import FoundVectors, read_vectors


def find_vectors(vectors: Vectors, data: Path) -> Source | None:
    """Return the file of word vectors in the data folder; None if the settings name none.

    A MissingFileError says where a file was looked for and how to get it.
    """
    if vectors.file == NO_FILE:
        return None
    advice = DATA_LIST if vectors.reference else "put the file there, or correct vectors.file"
    return find_source(data, vectors.file, vectors.archive, advice=advice)


def read_vectors_if_any(source: Source | None, wanted: Collection[str], size: int) -> FoundVectors:
    """Return the vectors of the `wanted` words in the file; without a file, no vectors."""
    return FoundVectors({}, 0, 0) if source is None else read_vectors(source, wanted, size)


def hash_of_vectors(source: Source | None) -> str:
    """Return the SHA-256 of the file, or "none" if there is no file."""
    return NO_FILE if source is None else source.sha256
