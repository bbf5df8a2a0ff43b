"""Memory is measured in processes that do nothing else: whatever ran before leaves traces in the peak."""

import ctypes
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from attest.environment import PeakMemory, held

Result = TypeVar("Result")

CODE = """
import importlib, json, sys
module, name, arguments = sys.argv[1:]
print(json.dumps(getattr(importlib.import_module(module), name)(*json.loads(arguments))))
"""


def fresh(function: Callable[..., Result], *arguments: object) -> Result:
    """What a function of a module returns in a process of its own; its arguments and its result travel as JSON."""
    command = [sys.executable, "-c", CODE, function.__module__, function.__name__, json.dumps(arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


MMAP_THRESHOLD = -3
"""A parameter of glibc's mallopt."""


def give_back_at_once() -> None:
    """From now on what is freed leaves the process, if it is large: else a peak holds what two threads' pools keep for
    later, which differs from run to run. Where there is no glibc, nothing changes."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, 64 * 1024)


def peak_beyond(once: Callable[[], object]) -> int:
    """The bytes that the process holds at most meanwhile, beyond what it held before."""
    give_back_at_once()
    before, peak = held(), PeakMemory("cpu")
    once()
    return max(0, peak.bytes() - before)
