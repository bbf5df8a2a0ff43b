"""Checkpoints of training: they are written atomically, and checked before a run resumes from one."""

from pathlib import Path
from typing import Any

import torch
from pytorch_lightning.plugins.io import TorchCheckpointIO
from torch import nn

from attest.errors import StorageError
from attest.system.failures import raise_if_machine_failed
from attest.system.files import atomic_file

PARTS = (
    "state_dict",
    "global_step",
    "loops",
    "callbacks",
    "optimizer_states",
    "lr_schedulers",
    "pytorch-lightning_version",
)
"""The parts of a checkpoint without which Lightning resumes no training."""


class AtomicCheckpointIO(TorchCheckpointIO):
    """The plugin with which Lightning writes checkpoints atomically."""

    def save_checkpoint(self, checkpoint: dict[str, Any], path: Any, storage_options: Any | None = None) -> None:
        with atomic_file(Path(path)) as file:
            torch.save(checkpoint, file)


def load_checkpoint(checkpoint: Path, module: nn.Module) -> int:
    """Load the weights of a checkpoint into the module; return the number of training steps before it.

    Lightning loads them too, but an error of Lightning would be recorded as one of the run. Raise StorageError if the
    checkpoint is damaged or that of another model, and MachineError if the disk cannot be read.
    """
    try:
        saved = torch.load(checkpoint, weights_only=True, mmap=True, map_location="cpu")
        if missing := [part for part in PARTS if part not in saved]:
            raise KeyError(missing[0])
        module.load_state_dict(saved["state_dict"])
        return int(saved["global_step"])
    except Exception as error:
        raise_if_machine_failed(error)
        raise StorageError(
            f"{checkpoint}: not a readable checkpoint of this model ({type(error).__name__}); delete it; the run "
            "then starts from its first step"
        ) from error
