"""Memory is measured in processes that do nothing else: whatever ran before leaves traces in the peak."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import TypeVar

from attest.system import malloc
from attest.system.environment import PeakMemory, process_memory

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


def peak_beyond(once: Callable[[], object]) -> int:
    """The bytes that the process holds at most meanwhile, beyond what it held before."""
    malloc.release_freed_memory()
    before, peak = process_memory(), PeakMemory("cpu")
    once()
    return max(0, peak.bytes() - before)
