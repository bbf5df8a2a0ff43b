"""Failures of the machine, which say nothing against the settings, the data or the training of a run."""

import errno
import re
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor

from attest.errors import MachineError

DISK_OR_SYSTEM = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM),
    *(errno.EIO, errno.ESTALE, errno.ENXIO, errno.ENODEV, errno.EBUSY, errno.ENOLCK),
    *(errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EAGAIN),
    *(errno.ETIMEDOUT, errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ENETUNREACH, errno.ECONNRESET),
}
"""The error numbers of a full, read-only, broken or unreachable disk, and of a system that has run out of something."""

MEMORY, PERMISSION, DISK, WORKER, DRIVER = (
    "the memory is used up; free some",
    "a file or a folder may not be read or written; change its permissions",
    "the disk or the system failed; see that the disk is there and has space",
    "a worker process was killed, usually for lack of memory; free some",
    "the driver of the accelerator failed; see that the device works",
)
"""The parts of a machine that fail, each with its remedy."""

MESSAGES = {
    r"(?i)out of memory|can't allocate memory|not enough memory|_ALLOC_FAILED|bad_alloc": MEMORY,
    r"(?i)worker .*(is killed|exited unexpectedly)": WORKER,
    # An assertion on the device is about the values that it was given.
    r"(CUDA|HIP|cuDNN|cuBLAS|NCCL|XPU) (driver )?error(?!.*device-side assert)|CU(DNN|BLAS)_STATUS_": DRIVER,
}
"""The texts of RuntimeErrors of torch, with what failed."""


def machine_error(error: BaseException) -> MachineError | None:
    """Return the error to report in place of an exception that the machine caused, or None for any other exception."""
    for cause in causes(error):
        if advice := failure_advice(cause):
            text = " ".join(str(cause).split())
            reason = f"{type(cause).__name__}: {text}" if text else type(cause).__name__
            return MachineError(f"{advice}, then run the same command again to continue ({reason})")
    return None


def raise_if_machine_failed(error: BaseException) -> None:
    """Raise MachineError if the machine caused the exception; else return, so that the caller can raise its own."""
    if (failure := machine_error(error)) is not None:
        raise failure from error


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, the exception that it was raised from, and so on."""
    while error is not None:
        yield error
        error = error.__cause__


def failure_advice(error: BaseException) -> str:
    """Return what part of the machine failed and what to do, or "" if the machine did not cause the exception."""
    if isinstance(error, MemoryError):
        return MEMORY
    if isinstance(error, BrokenExecutor):
        return WORKER
    if isinstance(error, OSError) and error.errno in DISK_OR_SYSTEM:
        return PERMISSION if error.errno in (errno.EACCES, errno.EPERM) else DISK
    if isinstance(error, RuntimeError):
        return next((failed for pattern, failed in MESSAGES.items() if re.search(pattern, str(error))), "")
    return ""
