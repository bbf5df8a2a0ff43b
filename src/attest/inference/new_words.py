"""Vectors of words that a finished run has not met, from the file of word vectors that it was trained with."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from attest.config.settings import Settings
from attest.data.mini.provide import provide_data
from attest.data.text.vectors import read_vectors
from attest.data.vector_file import find_vectors
from attest.errors import DataError, MissingFileError
from attest.runs.records import Record


def read_new_vectors(
    record: Record, settings: Settings, words: Sequence[str], *, required: bool
) -> dict[str, np.ndarray]:
    """Return the vectors (E,) of those of the words that the run's file of word vectors holds, if it has a file.

    If the file is missing, raise MissingFileError if it is `required`, else return no vectors. Raise DataError if the
    file is not the one that the run was trained with.
    """
    paths, vectors = settings.paths, settings.vectors
    provide_data(settings)
    try:
        source = find_vectors(vectors, Path(paths.data))
    except MissingFileError as error:
        if not required:
            return {}
        raise MissingFileError(f"{record.id} has not met {words[0]!r}, whose vector it needs: {error}") from error
    if source is None:
        return {}
    found = read_vectors(source, words, vectors.size).vectors
    trained_with = record.data["vectors"].get("sha256")
    if trained_with not in (None, source.sha256):
        raise DataError(
            f"{record.id}: this run was trained with another file {vectors.file} (sha256 {trained_with[:12]}) than "
            f"{source} (sha256 {source.sha256[:12]}), so {words[0]!r}, a new word, has no vector; type "
            "paths.data=FOLDER with the folder of its files"
        )
    return found
