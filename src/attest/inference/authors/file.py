"""Files of weights by the names of the authors' code: safetensors or .npz, which hold numbers alone."""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from attest.data.splits.split import FIRST_WORD
from attest.errors import SettingsError, StorageError
from attest.inference.authors.names import authors_tensors, code_of
from attest.inference.trained_run import TrainedRun
from attest.system.arrays import read_arrays, write_arrays
from attest.system.files import write_text
from attest.system.safetensors import read_tensors, write_tensors

WEIGHT_FORMATS = (".safetensors", ".npz")


def check_format(path: Path) -> None:
    """Raise SettingsError if the name of a file does not end in one of WEIGHT_FORMATS; other formats can run code."""
    if path.suffix not in WEIGHT_FORMATS:
        raise SettingsError(
            f"{path}: expected a file .safetensors or .npz, which hold numbers alone; convert a checkpoint with "
            "safetensors.torch.save_file or numpy.savez"
        )


def read_named_tensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors of a file by name.

    Raise SettingsError for another format, or values that are not numbers, and StorageError if the file is missing or
    damaged.
    """
    check_format(path)
    if not path.is_file():
        raise StorageError(f"{path}: there is no such file")
    if path.suffix == ".npz":
        return {name: tensor_of(np.asarray(array), f"{path}: {name}") for name, array in read_arrays(path).items()}
    return read_tensors(path, checked=False)[0]


def tensor_of(array: np.ndarray, where: str) -> Tensor:
    """Return an array of numbers as a tensor; raise SettingsError, with the place `where`, for another type."""
    try:
        return torch.from_numpy(array.astype(array.dtype.newbyteorder("="), copy=False))
    except TypeError as error:
        raise SettingsError(f"{where} holds {array.dtype}, not numbers that torch has; leave it out") from error


def write_authors_file(trained: TrainedRun, path: Path) -> Path | None:
    """Write the weights of a run by the names of the authors' code.

    If that code names the table of word vectors, return the path of a file with the word of each of its rows, which is
    written beside the file of weights; else return None. Raise StorageError if there is such a file already.
    """
    check_format(path)
    words = trained.model.words
    tensors = authors_tensors(trained.task, words)
    listed = path.with_suffix(".words.txt") if code_of(trained.task.encoder).embedding else None
    for target in filter(None, (path, listed)):
        if target.exists():
            raise StorageError(f"{target}: exists already; delete it, or name another file")
    if listed:
        write_text(listed, "".join(f"{word}\n" for word in words[FIRST_WORD:]))
    if path.suffix == ".npz":
        write_arrays(path, {name: tensor.numpy() for name, tensor in tensors.items()})
    else:
        write_tensors(path, tensors, {})
    return listed
