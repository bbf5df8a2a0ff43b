"""Checkpoints of training, written atomically."""

from pathlib import Path
from typing import Any

import torch
from pytorch_lightning.plugins.io import TorchCheckpointIO

from attest.system.files import atomic_file


class AtomicCheckpointIO(TorchCheckpointIO):
    """The plugin with which Lightning writes checkpoints atomically."""

    def save_checkpoint(self, checkpoint: dict[str, Any], path: Any, storage_options: Any | None = None) -> None:
        with atomic_file(Path(path)) as file:
            torch.save(checkpoint, file)
