"""Files of named tensors in the format safetensors: numbers and strings alone, so that a hostile file runs no code.

A checksum stands among the metadata of a file that Attest wrote, since a changed byte of a tensor is still a number.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from attest.errors import StorageError
from attest.system.failures import raise_if_machine_failed
from attest.system.files import write_bytes

CHECKSUM = "sha256"
"""The key of the checksum of all other metadata and of all tensors."""


def write_tensors(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
    """Write tensors and metadata, both by name, to a file that replaces an earlier one atomically."""
    # Each tensor gets memory of its own, because `save` refuses tied weights.
    stored = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    write_bytes(path, save(stored, {**metadata, CHECKSUM: checksum(stored, metadata)}))


def read_tensors(path: Path, *, checked: bool = True) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Return the tensors and the metadata of a file, both by name.

    Raise StorageError if the file is missing or damaged, and MachineError if the disk cannot be read. Unless
    `checked` is false, as for files of other programs, the file needs the checksum that Attest writes.
    """
    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  it is not a mapping
            metadata = dict(file.metadata() or {})
        if checked and metadata.pop(CHECKSUM, None) != checksum(tensors, metadata):
            raise ValueError("its checksum is missing or wrong")
    except (OSError, ValueError, SafetensorError) as error:
        raise_if_machine_failed(error)
        reason = " ".join(str(error).split())[:120]
        remedy = "delete it" if checked else "download or convert it again"
        raise StorageError(f"{path}: damaged or cut off ({type(error).__name__}: {reason}); {remedy}") from error
    return tensors, metadata


def checksum(tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> str:
    """Return the hash of the metadata and of the names, types, shapes and bytes of tensors."""
    described = {name: [str(tensor.dtype), list(tensor.shape)] for name, tensor in tensors.items()}
    digest = hashlib.sha256(json.dumps([dict(metadata), described], sort_keys=True).encode())
    for _, tensor in sorted(tensors.items()):
        if tensor.numel():
            digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
