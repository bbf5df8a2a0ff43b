"""Measuring in new processes, because everything that ran before affects the memory of a process, and so its speed."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import TypeVar

from attest.system import malloc
from attest.system.environment import PeakMemory, process_memory

Result = TypeVar("Result")

CODE = """
import contextlib, importlib, json, sys
module, name, arguments = sys.argv[1:]
with contextlib.redirect_stdout(sys.stderr):
    result = getattr(importlib.import_module(module), name)(*json.loads(arguments))
print(json.dumps(result))
"""
"""The program of the new process. What the function prints goes to stderr, since stdout holds the result."""


def run_in_new_process(function: Callable[..., Result], *arguments: object) -> Result:
    """Return the result of a module's function called in a new process; arguments and result are passed as JSON."""
    command = [sys.executable, "-c", CODE, function.__module__, function.__name__, json.dumps(arguments)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def added_peak_memory(function: Callable[[], object]) -> int:
    """Call a function and return by how many bytes the memory of the process grew at its peak."""
    malloc.release_freed_memory()
    before, peak = process_memory(), PeakMemory("cpu")
    function()
    return max(0, peak.bytes() - before)
