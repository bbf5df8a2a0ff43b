"""word2vec's binary format, made byte by byte."""

from collections.abc import Mapping, Sequence

import numpy as np


def word2vec_binary(vectors: Mapping[str, Sequence[float]], end: bytes = b"\n", head: str | None = None) -> bytes:
    """Return the content of a file with a row for each word; `head` is its first line, if it is to be another."""
    rows = (word.encode() + b" " + np.array(row, "<f4").tobytes() + end for word, row in vectors.items())
    size = len(next(iter(vectors.values())))
    return (head or f"{len(vectors)} {size}\n").encode() + b"".join(rows)
