"""Measuring in new processes, because everything that ran before affects the memory of a process, and so its speed."""

import contextlib
import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from signal import Signals
from typing import TypeVar

from attest.errors import AttestError, MachineError
from attest.system import malloc
from attest.system.failures import machine_error
from attest.system.memory import PeakMemory, process_memory

Result = TypeVar("Result")

CODE = "import sys; from attest.benchmarks.subprocesses import print_answer; print_answer(*sys.argv[1:])"
"""The program of the new process."""


def run_in_new_process(function: Callable[..., Result], *arguments: object) -> Result:
    """Return the result of a module's function called in a new process; arguments and result are passed as JSON.

    Raise MachineError if the function fails. The traceback of a mistake in the code is then on stderr.
    """
    module, name = function.__module__, function.__name__
    command = [sys.executable, "-c", CODE, module, name, json.dumps(arguments)]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode < 0:
        signal = Signals(-done.returncode)
        advice = "; it mostly lacks memory: free some, then run the command again" if signal is Signals.SIGKILL else ""
        raise MachineError(f"{module}.{name}: the process of this measurement was ended by {signal.name}{advice}")
    if done.returncode:
        raise MachineError(f"{module}.{name}: this measurement failed; the lines above say where")
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise MachineError(answer["error"])
    return answer["result"]


def print_answer(module: str, name: str, arguments: str) -> None:
    """Print the result of a module's function, or the text of an error that needs no traceback, as JSON.

    What the function prints goes to stderr, since stdout holds the answer.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):
            result = getattr(importlib.import_module(module), name)(*json.loads(arguments))
    except Exception as error:
        failure = error if isinstance(error, AttestError) else machine_error(error)
        if failure is None:
            raise
        print(json.dumps({"error": str(failure)}))
    else:
        print(json.dumps({"result": result}))


def added_peak_memory(function: Callable[[], object]) -> int:
    """Call a function and return by how many bytes the memory of the process grew at its peak."""
    malloc.release_freed_memory()
    before, peak = process_memory(), PeakMemory("cpu")
    function()
    return max(0, peak.bytes() - before)
