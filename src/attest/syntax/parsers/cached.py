"""A cache of trees on disk, by the identity of the parser and the words of the sentence, so that none is parsed twice.

A file holds the trees of one call: the hashes of the sentences (keys), the spans of all their trees one after another
(spans), and the index where the spans of each sentence begin, followed by the end of the last (offsets).
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from attest.errors import StorageError
from attest.syntax.parsers.base import Parser
from attest.syntax.trees import Span
from attest.system.arrays import read_arrays, write_arrays

KEY_BYTES = 16


class CachedParser(Parser):
    """A parser that returns cached trees, and opens the real parser only for a sentence that is not in the cache."""

    def __init__(
        self, identity: str, open_parser: Callable[[], Parser], cache: Path, parents: Sequence[str] = ()
    ) -> None:
        self.identity, self.open_parser, self.parents = identity, open_parser, parents
        self.folder = cache / "parses" / hashlib.sha256(identity.encode()).hexdigest()[:16]
        self.spans_of: dict[bytes, np.ndarray] = {}
        """Hash of a sentence -> (N, 2) spans of its tree."""
        self.parser: Parser | None = None

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        if not self.spans_of:
            self.read_cache()
        keys = [sentence_key(sentence) for sentence in sentences]
        new = {key: sentence for key, sentence in zip(keys, sentences, strict=True) if key not in self.spans_of}
        if new:
            self.parser = self.parser or self.open_parser()
            parsed = self.parser.parse(list(new.values()))
            arrays = [np.array(spans, np.int32).reshape(-1, 2) for spans in parsed]
            self.write_json_undurably(list(new), arrays)
            self.spans_of |= dict(zip(new, arrays, strict=True))
        return [[(start, end) for start, end in self.spans_of[key].tolist()] for key in keys]

    def read_cache(self) -> None:
        """Load all cached trees of this parser."""
        for path in sorted(self.folder.glob("*.npz")):
            try:
                keys, spans, offsets = read_arrays(path, "keys", "spans", "offsets").values()
            except StorageError as error:
                raise StorageError(f"{error}; delete the file, and its sentences are parsed again") from error
            if offsets.shape != (len(keys) + 1,):
                raise StorageError(f"{path}: the file is damaged; delete it, and its sentences are parsed again")
            for row, key in enumerate(keys):
                self.spans_of[key.tobytes()] = spans[offsets[row] : offsets[row + 1]]

    def write_json_undurably(self, keys: Sequence[bytes], arrays: Sequence[np.ndarray]) -> None:
        """Write the spans of newly parsed sentences to a file of their own."""
        name = hashlib.sha256(b"".join(keys)).hexdigest()[:16]
        content = {
            "keys": np.frombuffer(b"".join(keys), np.uint8).reshape(-1, KEY_BYTES),
            "spans": np.concatenate(arrays),
            "offsets": np.cumsum([0, *map(len, arrays)]),
        }
        write_arrays(self.folder / f"{name}.npz", content)


def sentence_key(sentence: Sequence[str]) -> bytes:
    """Return the hash of a sentence's words, KEY_BYTES long."""
    numbers: object = len(sentence)
    if any("\n" in word for word in sentence):  # only then, so that other sentences keep their keys in existing caches
        numbers = [len(word) for word in sentence]
    text = f"{numbers} " + "\n".join(sentence)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()
