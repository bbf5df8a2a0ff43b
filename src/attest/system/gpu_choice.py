"""A GPU for each run: the processes of one user on a machine take different GPUs, as long as there are enough."""

import fcntl
import os
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import IO
from urllib.parse import quote

import torch

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""The variable that names the GPUs that a process may use; torch reads it when it first uses one."""
_held: list[IO[bytes]] = []
"""The lock file of this process, open until the process ends."""


def take_own_gpu(folder: Path | None = None) -> str | None:
    """Let this process see one GPU alone, one that other processes of this user have not taken.

    Return its entry of CUDA_VISIBLE_DEVICES, such as "0". Return None, and change nothing, if there are not several
    GPUs, or if this process has taken one before. If all are taken, they are shared evenly. `folder` holds the lock
    files.
    """
    if _held or (number := torch.cuda.device_count()) < 2:
        return None
    named = os.environ.get(VISIBLE, "")
    gpus = named.split(",") if named else [str(gpu) for gpu in range(number)]
    lock_folder = folder or Path(tempfile.gettempdir()) / f"attest-gpus-{os.getuid()}"
    lock_folder.mkdir(mode=0o700, exist_ok=True)
    os.environ[VISIBLE] = lock_least_used(gpus, lock_folder)
    return os.environ[VISIBLE]


def lock_least_used(gpus: Sequence[str], folder: Path) -> str:
    """Return the GPU that fewest processes have taken, and lock a file for it until this process ends.

    Each process holds one lock file of its GPU. Files are numbered; lower numbers of all GPUs are taken first, so that
    processes spread evenly.
    """
    for number, gpu in ((number, gpu) for number in count() for gpu in gpus):
        file = (folder / f"{quote(gpu, safe='')}.{number}.lock").open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            continue
        _held.append(file)
        return gpu
    raise AssertionError("there is always a further number")
