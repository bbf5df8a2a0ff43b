"""The files in the folder of a run: its last checkpoint, its best weights so far, and its notes."""

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


def step_file(folder: Path) -> Path:
    """Return the path of the note of the last step in the folder of a run, which need not exist."""
    return folder / "step.json"


def command_file(folder: Path) -> Path:
    """Return the path of the note of the command in the folder of a run, which need not exist."""
    return folder / "command.json"


def unfinished_file(folder: Path) -> Path:
    """Return the path of the note that a run is unfinished in the folder of the run, which need not exist."""
    return folder / "unfinished.json"


def keep_weights(folder: Path, *steps: int) -> None:
    """Delete the files of weights in the folder of a run except those of the given steps.

    Delete nothing if none of the given steps has a file, as when a damaged record names another step.
    """
    kept = {weights_file(folder, step) for step in steps}
    present = set(folder.glob("best-*.pt"))
    for weights in sorted(present - kept) if present & kept else ():
        discard(weights)
