"""Files of named arrays (.npz), written atomically and read without pickle."""

import io
import zlib
from collections.abc import Mapping
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from attest.errors import StorageError
from attest.system.failures import raise_if_machine_failed
from attest.system.files import write_bytes

ZIP_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
"""The first bytes of an .npz file with arrays, and of one without any."""
READ_ERRORS = (OSError, EOFError, ValueError, KeyError, RuntimeError, BadZipFile, zlib.error)
"""The errors that a damaged file raises: KeyError if an array is missing, RuntimeError if a changed byte says that
an entry is encrypted or has an unknown compression, the others if the file is truncated or corrupt."""


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write the arrays to `path` as a compressed .npz file that replaces an earlier one atomically."""
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]
    write_bytes(path, content.getvalue())


def read_arrays(path: Path, *names: str) -> dict[str, np.ndarray]:
    """Return the arrays `names` of a file by name, or all its arrays if no name is given.

    Raise StorageError if the file is missing or damaged, or lacks one of the arrays, and MachineError if the disk
    cannot be read.
    """
    try:
        content = path.read_bytes()
        if not content.startswith(ZIP_BEGINNINGS):  # numpy would take it for pickled data or for a single array
            raise ValueError("it is no .npz file")
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            return {name: file[name] for name in names or file.files}
    except READ_ERRORS as error:
        raise_if_machine_failed(error)
        raise StorageError(f"{path}: not readable ({error})") from error
