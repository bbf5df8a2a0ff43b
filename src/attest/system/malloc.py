"""What glibc does with memory that is freed. Where there is no glibc, nothing changes."""

import ctypes
from contextlib import suppress

TRIM_THRESHOLD, MMAP_THRESHOLD, MMAP_MAX = -1, -3, -4
"""Parameters of its mallopt."""


def keep() -> None:
    """From now on what is freed is kept for what comes next.

    Else a tensor of more than 32 MB is a new mapping each time, which the system fills with zeros: a fifth of the time
    of a step where a layer has 18,000 x 4,000 weights, even with huge pages.
    """
    tell(MMAP_MAX, 0)
    tell(TRIM_THRESHOLD, 2**31 - 1)


def give_back() -> None:
    """What was freed leaves the process, and from now on what is freed, if it is large: else a peak holds what two
    threads' pools keep for later, which differs from run to run, and lacks what finds room where imports left some.
    Undoes `keep`: the first two are where glibc has them."""
    tell(MMAP_MAX, 2**16)
    tell(TRIM_THRESHOLD, 128 * 1024)
    tell(MMAP_THRESHOLD, 64 * 1024)
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def tell(parameter: int, value: int) -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(parameter, value)
