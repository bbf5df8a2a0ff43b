"""Named arrays in one file: written whole or not at all, and read without pickle."""

import io
import zlib
from collections.abc import Mapping
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from attest.errors import StorageError
from attest.system.files import write_bytes

DAMAGED = (OSError, EOFError, ValueError, KeyError, NotImplementedError, BadZipFile, zlib.error)
"""What comes of a file that is cut, that lacks an array (KeyError) or where a byte is another, which may name a
compression that nobody has (NotImplementedError)."""


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]
    write_bytes(path, content.getvalue())


def read_arrays(path: Path, *names: str) -> dict[str, np.ndarray]:
    """Those of the names, or all of them."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            return {name: file[name] for name in names or file.files}
    except DAMAGED as error:
        raise StorageError(f"{path}: not readable ({error})") from error
