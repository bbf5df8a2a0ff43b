"""Failures of the machine are told from faults of settings, data and training."""

import errno
from concurrent.futures.process import BrokenProcessPool

import pytest
import torch

from attest.errors import MachineError, TrainingError
from attest.system.failures import machine_error

OF_THE_MACHINE = [
    MemoryError(),
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB."),
    RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes."),
    RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
    RuntimeError("CUDA error: unspecified launch failure"),
    RuntimeError("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR"),
    RuntimeError("DataLoader worker (pid 71) is killed by signal: Killed."),
    BrokenProcessPool("A process in the process pool was terminated abruptly"),
    *(OSError(number, "broken") for number in (errno.ENOSPC, errno.ESTALE, errno.EIO, errno.EDQUOT, errno.EMFILE)),
]
OF_THE_RUN = [
    ValueError("out of memory"),
    RuntimeError("The size of tensor a (3) must match the size of tensor b (4)"),
    RuntimeError("CUDA error: device-side assert triggered"),
    FileNotFoundError(errno.ENOENT, "No such file or directory"),
    TrainingError("the loss is no longer a finite number at step 7"),
]


@pytest.mark.parametrize("error", OF_THE_MACHINE, ids=str)
def test_what_the_machine_caused_is_named_and_can_be_continued(error):
    failure = machine_error(error)
    assert isinstance(failure, MachineError)
    assert "then run the same command again to continue (" in str(failure)
    assert type(error).__name__ in str(failure)
    assert "\n" not in str(failure)


@pytest.mark.parametrize("error", OF_THE_RUN, ids=str)
def test_what_the_run_caused_is_not_taken_for_it(error):
    assert machine_error(error) is None


def test_the_cause_of_an_exception_counts():
    error = RuntimeError("the checkpoint could not be written")
    error.__cause__ = OSError(errno.ESTALE, "Stale file handle")
    assert f"OSError: [Errno {errno.ESTALE}] Stale file handle" in str(machine_error(error))
