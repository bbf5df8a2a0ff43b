"""A GPU for each run: the processes of one user on a machine take different GPUs, as long as there are enough."""

import fcntl
import os
import tempfile
from itertools import count
from pathlib import Path
from typing import IO

import torch

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""The variable that names the GPUs that a process may use; torch reads it when it first uses one."""
_held: list[IO[bytes]] = []
"""The lock file of this process, open until the process ends."""


def take_own_gpu(folder: Path | None = None) -> str | None:
    """Let this process see one GPU alone, one that other processes of this user have not taken, and return its name.

    Return None, and change nothing, if there are not several GPUs, or if this process has taken one before. If all are
    taken, they are shared evenly. `folder` holds the lock files.
    """
    if _held or (number := torch.cuda.device_count()) < 2:
        return None
    named = os.environ.get(VISIBLE, "")
    gpus = named.split(",") if named else [str(gpu) for gpu in range(number)]
    place = folder or Path(tempfile.gettempdir()) / f"attest-gpus-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    os.environ[VISIBLE] = gpus[first_free_slot(place) % len(gpus)]
    return os.environ[VISIBLE]


def first_free_slot(folder: Path) -> int:
    """Lock the first file of a numbered row that no other process has locked, until this process ends; return its
    number."""
    for slot in count():
        file = (folder / f"{slot}.lock").open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            continue
        _held.append(file)
        return slot
    raise AssertionError("there is always a further slot")
