"""The files that keep sentence vectors on disk: one with vectors, and one beside it with the keys of their sentences.

Legend: N sentences, W features.
"""

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from attest.errors import StorageError
from attest.system.failures import raise_if_machine_failed
from attest.system.files import write_bytes


def keys_file(folder: Path, keys: Sequence[bytes]) -> Path:
    """Return the path of the file with these keys, which need not exist."""
    return folder / f"{hashlib.blake2b(b''.join(keys), digest_size=8).hexdigest()}.keys.npy"


def vectors_file(keys_path: Path) -> Path:
    """Return the path of the file of vectors that belongs to a file of keys."""
    return keys_path.with_name(keys_path.name.replace(".keys", ""))


def write_chunk(path: Path, keys: Sequence[bytes], vectors_NW: np.ndarray) -> None:
    """Write keys into the file `path`, and their vectors into a file beside it.

    The keys are written last, so that a file of keys always has its file of vectors.
    """
    write_bytes(vectors_file(path), array_bytes(vectors_NW))
    write_bytes(path, array_bytes(np.frombuffer(b"".join(keys), np.uint8).reshape(len(keys), -1)))


def array_bytes(array: np.ndarray) -> bytes:
    """Return the content of the array's .npy file."""
    content = io.BytesIO()
    np.save(content, array)
    return content.getvalue()


def open_array(path: Path) -> np.ndarray:
    """Return the memory-mapped array of a file; raise StorageError if it is damaged, and MachineError if the
    disk cannot be read."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise_if_machine_failed(error)
        raise StorageError(
            f"{path}: not a readable array ({error}); remove its folder, and the vectors are encoded again"
        ) from error
