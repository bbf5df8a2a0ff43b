"""Every sentence is encoded once: vectors by content, in memory and, for an encoder that has a name, on disk.

Legend: N sentences, W features.
"""

import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from attest.errors import EncodingError, StorageError
from attest.system.files import write_bytes
from attest.transfer.parallel import Advance, nobody

Encode = Callable[[list[str]], Any]
"""Sentences (N) to an array (N, W). Tokens are joined by spaces; a sentence may have none."""
KEPT_TOGETHER = 4096
"""Sentences of one file on disk."""


class Encodings:
    """The vectors of one encoder."""

    def __init__(self, encode: Encode, folder: Path | None = None, batch_size: int = 128) -> None:
        self.encode, self.folder, self.batch_size = encode, folder, batch_size
        self.width: int | None = None
        self.parts: list[np.ndarray] = []
        self.places: dict[bytes, tuple[int, int]] = {}
        """Sentence -> part and row."""
        for path in sorted(folder.glob("*.keys.npy")) if folder is not None else ():
            self.add([key.tobytes() for key in opened(path)], opened(path.with_name(path.name.replace(".keys", ""))))

    def add(self, keys: Sequence[bytes], vectors_NW: np.ndarray) -> None:
        if len(keys) != len(vectors_NW) or self.width not in (None, vectors_NW.shape[1]):
            raise StorageError(f"{self.folder}: its vectors do not fit together; remove it, and they are made again")
        self.width = vectors_NW.shape[1]
        self.places |= {key: (len(self.parts), row) for row, key in enumerate(keys)}
        self.parts.append(vectors_NW)

    def missing(self, sentences: Sequence[str]) -> list[str]:
        """What was not encoded yet, each once, short ones first."""
        new = [sentence for sentence in dict.fromkeys(sentences) if key_of(sentence) not in self.places]
        return sorted(new, key=lambda sentence: len(sentence.split()))

    def make(self, sentences: Sequence[str], advance: Advance = nobody) -> None:
        """Encode what was not encoded yet."""
        done = 0
        for several in pieces(self.missing(sentences), KEPT_TOGETHER):
            batches = []
            for batch in pieces(several, self.batch_size):
                batches.append(self.checked(batch, self.encode(batch)))
                done += len(batch)
                advance(done)
            keys, vectors_NW = [key_of(sentence) for sentence in several], np.concatenate(batches)
            self.add(keys, vectors_NW)
            if self.folder is not None:
                write(self.folder, keys, vectors_NW)

    def __call__(self, sentences: Sequence[str]) -> np.ndarray:
        """(N, W) of sentences that `make` has seen."""
        vectors_NW = np.empty((len(sentences), self.width or 0), np.float32)
        for row, sentence in enumerate(sentences):
            part, place = self.places[key_of(sentence)]
            vectors_NW[row] = self.parts[part][place]
        return vectors_NW

    def checked(self, batch: list[str], given: Any) -> np.ndarray:
        """What the encoder gave, if it is a vector of numbers for each sentence and as wide as ever."""
        try:
            with np.errstate(over="ignore"):  # is seen below
                vectors_NW = np.asarray(given, dtype=np.float32)
        except (TypeError, ValueError, RuntimeError) as error:
            raise EncodingError(f"the encoder gave {type(given).__name__}, not an array of numbers: {error}") from error
        if vectors_NW.ndim != 2 or len(vectors_NW) != len(batch) or not vectors_NW.shape[1]:
            raise EncodingError(
                f"the encoder gave an array of shape {vectors_NW.shape} for {len(batch)} sentences, "
                "where each needs a row"
            )
        if self.width is not None and vectors_NW.shape[1] != self.width:
            raise EncodingError(f"the encoder gave vectors of {self.width} numbers, and then of {vectors_NW.shape[1]}")
        self.width = vectors_NW.shape[1]
        if not (finite_N := np.isfinite(vectors_NW).all(1)).all():
            sentence = batch[int(np.argmin(finite_N))]
            of = repr(sentence[:60]) if sentence else "the empty sentence (some sets have one; zeros would do)"
            raise EncodingError(f"the encoder gave numbers that are not finite, for {of}")
        return vectors_NW


def key_of(sentence: str) -> bytes:
    return hashlib.blake2b(sentence.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def pieces(items: Sequence[str], size: int) -> Iterator[list[str]]:
    rest = iter(items)
    while piece := list(islice(rest, size)):
        yield piece


def write(folder: Path, keys: Sequence[bytes], vectors_NW: np.ndarray) -> None:
    """Vectors first, keys last: where there are keys, there are all their vectors."""
    name = hashlib.blake2b(b"".join(keys), digest_size=8).hexdigest()
    write_bytes(folder / f"{name}.npy", as_file(vectors_NW))
    write_bytes(folder / f"{name}.keys.npy", as_file(np.frombuffer(b"".join(keys), np.uint8).reshape(len(keys), -1)))


def as_file(array: np.ndarray) -> bytes:
    content = io.BytesIO()
    np.save(content, array)
    return content.getvalue()


def opened(path: Path) -> np.ndarray:
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise StorageError(
            f"{path}: not a readable array ({error}); remove its folder, and it is made again"
        ) from error
