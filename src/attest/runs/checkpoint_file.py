"""The file of the last checkpoint, in the folder of a run."""

from pathlib import Path


def checkpoint_file(folder: Path) -> Path:
    """Return the path of the last checkpoint in the folder of a run, which has one until it is finished."""
    return folder / "last.ckpt"
