"""The file of the last checkpoint, in the folder of a run."""

from pathlib import Path


def checkpoint_file(folder: Path) -> Path:
    """Return the path of the last checkpoint in the folder of a run, which need not exist.

    A run has one until it is finished, and keeps it with trainer.keep_last=true.
    """
    return folder / "last.ckpt"
