"""Reading of files of weights: tensors alone, so that a hostile file runs no code."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from attest.errors import StorageError
from attest.system.failures import raise_if_machine_failed


def read_weights(path: Path) -> dict[str, Any]:
    """Return the tensors of a file by name, on the CPU; raise StorageError if the file is damaged."""
    try:
        return torch.load(path, weights_only=True, map_location="cpu")
    except Exception as error:  # torch raises errors of many classes for damaged files
        raise unreadable_weights(path, error) from error


def load_weights(module: nn.Module, path: Path) -> None:
    """Load the weights of a file into a module; raise StorageError if it is damaged or holds those of another one."""
    set_weights(module, read_weights(path), path)


def set_weights(module: nn.Module, weights: Mapping[str, Any], path: Path) -> None:
    """Copy weights that were read from `path` into a module; raise StorageError if they are those of another one."""
    try:
        module.load_state_dict(weights)
    except (RuntimeError, TypeError, AttributeError) as error:
        raise unreadable_weights(path, error) from error


def unreadable_weights(path: Path, error: Exception) -> StorageError:
    """Return the error for a file whose weights cannot be read; raise MachineError if the machine is to blame."""
    raise_if_machine_failed(error)
    reason = " ".join(str(error).split()).partition(".")[0][:120]
    return StorageError(f"{path}: damaged, or no weights of this model ({type(error).__name__}: {reason}); delete it")
