"""Settings of glibc's malloc for freed memory. They have no effect on systems without glibc."""

import ctypes
from contextlib import suppress

TRIM_THRESHOLD, MMAP_THRESHOLD, MMAP_MAX = -1, -3, -4
"""The numbers of mallopt's parameters (malloc.h)."""


def keep_freed_memory() -> None:
    """Make malloc keep freed memory in the process and reuse it.

    By default malloc maps new memory for every tensor of more than 32 MB, and the system fills the memory with zeros.
    For a layer of 18,000 x 4,000 weights that takes a fifth of a training step, even with huge pages.
    """
    set_option(MMAP_MAX, 0)
    set_option(TRIM_THRESHOLD, 2**31 - 1)


def release_freed_memory() -> None:
    """Return freed memory to the system, now and whenever a large block is freed; undo `keep_freed_memory`.

    Peaks of memory are measured after this call. Otherwise a peak would include the memory pools of threads, which
    differ from run to run, and would lack what fits into memory that imports have freed.
    """
    set_option(MMAP_MAX, 2**16)  # this value and the next are glibc's defaults
    set_option(TRIM_THRESHOLD, 128 * 1024)
    set_option(MMAP_THRESHOLD, 64 * 1024)
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def set_option(parameter: int, value: int) -> None:
    """Call glibc's mallopt, or do nothing on systems without glibc."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(parameter, value)
