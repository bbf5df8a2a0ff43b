"""The files of weights in the folder of a run: the last checkpoint, and the best weights so far."""

from pathlib import Path

from attest.system.files import discard


def checkpoint_file(folder: Path) -> Path:
    """Return the path of the last checkpoint in the folder of a run, which need not exist.

    A run has one until it is finished, and keeps it with trainer.keep_last=true.
    """
    return folder / "last.ckpt"


def weights_file(folder: Path, step: int) -> Path:
    """Return the path of the weights of a step in the folder of a run."""
    return folder / f"best-{step}.pt"


def keep_weights(folder: Path, *steps: int) -> None:
    """Delete the files of weights in the folder of a run except those of the given steps.

    Delete nothing if none of the given steps has a file, as when a damaged record names another step.
    """
    kept = {weights_file(folder, step) for step in steps}
    found = set(folder.glob("best-*.pt"))
    for weights in sorted(found - kept) if found & kept else ():
        discard(weights)
