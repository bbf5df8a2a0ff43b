"""A cache of sentence vectors, by the text of the sentence: in memory and, for an encoder with an identity, on disk.

Legend: N sentences, W features.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from attest.errors import EncodingError, StorageError
from attest.runs.observers import Observers, report_step
from attest.system.leases import lease_beside, wait_for_lease
from attest.transfer.sentence_vector_files import keys_file, open_array, vectors_file, write_chunk

Encode = Callable[[list[str]], Any]
"""A function from N sentences to an array (N, W). The tokens of a sentence are joined by spaces; a sentence may be
empty."""
SENTENCES_PER_FILE = 4096
"""The number of sentences in one file on disk."""


class SentenceVectors:
    """The sentence vectors of one encoder, which encodes each distinct sentence once."""

    def __init__(self, encode: Encode, folder: Path | None = None, batch_size: int = 128) -> None:
        self.encode, self.folder, self.batch_size = encode, folder, batch_size
        self.width: int | None = None
        self.arrays: list[np.ndarray] = []
        self.places: dict[bytes, tuple[int, int]] = {}
        """The key of a sentence -> the index in `arrays`, and the row in that array, of its vector."""
        self.is_from_disk = False
        """True if the width is that of vectors which another process has written."""
        for path in sorted(folder.glob("*.keys.npy")) if folder is not None else ():
            self.open_chunk(path)

    def open_chunk(self, keys_path: Path) -> None:
        """Add the vectors that another process has written, by the path of the file of their keys."""
        self.is_from_disk = self.is_from_disk or self.width is None
        self.add([key.tobytes() for key in open_array(keys_path)], open_array(vectors_file(keys_path)))

    def add(self, keys: Sequence[bytes], vectors_NW: np.ndarray) -> None:
        """Add vectors by their keys, which are hashes of sentences.

        Raise StorageError if there are more keys than vectors, or fewer, or if the width differs from that of earlier
        vectors.
        """
        is_matrix = vectors_NW.ndim == 2 and len(keys) == len(vectors_NW)
        if not is_matrix or self.width not in (None, vectors_NW.shape[1]):
            raise StorageError(
                f"{self.folder}: the vectors in this folder have different widths or numbers; remove the folder, and "
                "they are encoded again"
            )
        self.width = vectors_NW.shape[1]
        self.places |= {key: (len(self.arrays), row) for row, key in enumerate(keys)}
        self.arrays.append(vectors_NW)

    def missing(self, sentences: Sequence[str]) -> list[str]:
        """Return the sentences that have no vector yet, each once, short ones first."""
        new = [sentence for sentence in dict.fromkeys(sentences) if key_of(sentence) not in self.places]
        return sorted(new, key=lambda sentence: len(sentence.split()))

    def encode_missing(self, sentences: Sequence[str], observers: Observers = ()) -> None:
        """Encode the sentences that have no vector yet; the observers receive the number encoded so far.

        Of several processes that encode the same sentences, one does, and the others read what it has written.
        """
        done = 0
        for chunk in chunks(self.missing(sentences), SENTENCES_PER_FILE):
            keys = [key_of(sentence) for sentence in chunk]
            path = None if self.folder is None else keys_file(self.folder, keys)
            turn = nullcontext() if path is None else wait_for_lease(lease_beside(path), "encoding the same sentences")
            with turn:
                if path is not None and path.is_file():
                    self.open_chunk(path)
                else:
                    vectors_NW = self.encode_chunk(chunk, done, observers)
                    self.add(keys, vectors_NW)
                    if path is not None:
                        write_chunk(path, keys, vectors_NW)
            done += len(chunk)

    def encode_chunk(self, chunk: Sequence[str], done: int, observers: Observers) -> np.ndarray:
        """Return the vectors (N, W) of sentences, encoded in batches after `done` others."""
        batches = []
        for batch in chunks(chunk, self.batch_size):
            batches.append(self.checked_vectors(batch, self.encode(batch)))
            done += len(batch)
            report_step(observers, done)
        return np.concatenate(batches)

    def __call__(self, sentences: Sequence[str]) -> np.ndarray:
        """Return the vectors (N, W) of sentences that were passed to `encode_missing` before."""
        vectors_NW = np.empty((len(sentences), self.width or 0), np.float32)
        for row, sentence in enumerate(sentences):
            array, place = self.places[key_of(sentence)]
            vectors_NW[row] = self.arrays[array][place]
        return vectors_NW

    def checked_vectors(self, batch: list[str], given: Any) -> np.ndarray:
        """Return a copy of what the encoder returned for a batch, as a float32 array (N, W).

        Raise EncodingError unless it has a row of W finite numbers for each sentence, with the W of earlier batches.
        """
        try:
            with np.errstate(over="ignore"):  # overflow gives infinity, which is refused below
                vectors_NW = np.asarray(given, dtype=np.float32).copy()  # the encoder may reuse its array
        except (TypeError, ValueError, RuntimeError) as error:
            raise EncodingError(
                f"the encoder returned {type(given).__name__}, not an array of numbers: {error}"
            ) from error
        if vectors_NW.ndim != 2 or len(vectors_NW) != len(batch) or not vectors_NW.shape[1]:
            raise EncodingError(
                f"the encoder returned an array of shape {vectors_NW.shape} for {len(batch)} sentences; "
                "it has to return a row for each"
            )
        if self.width is not None and vectors_NW.shape[1] != self.width:
            width = vectors_NW.shape[1]
            if self.is_from_disk:
                raise EncodingError(
                    f"the encoder returned vectors of {width} numbers, and {self.folder} holds those of {self.width}; "
                    "give each encoder an identity of its own, or remove the folder"
                )
            raise EncodingError(f"the encoder returned vectors of {self.width} numbers, and then of {width}")
        self.width = vectors_NW.shape[1]
        if not (finite_N := np.isfinite(vectors_NW).all(1)).all():
            sentence = batch[int(np.argmin(finite_N))]
            name = repr(sentence[:60]) if sentence else "the empty sentence (return zeros for it: some sets have one)"
            raise EncodingError(f"the encoder returned numbers that are not finite for {name}")
        return vectors_NW


def key_of(sentence: str) -> bytes:
    """Return the key of a sentence: a hash of its text."""
    return hashlib.blake2b(sentence.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def chunks(items: Sequence[str], size: int) -> Iterator[list[str]]:
    """Yield the items in lists of `size`; the last list may be shorter."""
    rest = iter(items)
    while piece := list(islice(rest, size)):
        yield piece
