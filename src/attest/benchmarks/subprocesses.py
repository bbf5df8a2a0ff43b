"""Measuring in new processes, because everything that ran before affects the memory of a process, and so its speed."""

import contextlib
import importlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from signal import Signals
from typing import TypeVar

from attest.errors import AttestError, MachineError
from attest.system import malloc
from attest.system.failures import machine_error
from attest.system.memory import PeakMemory, process_memory
from attest.system.signals import Stopped, interrupts_kept_from_new_processes, stopped_by_command

Result = TypeVar("Result")

CODE = "import sys; from attest.benchmarks.subprocesses import print_answer; print_answer(*sys.argv[1:])"
"""The program of the new process."""
SECONDS_TO_END = 30.0
"""The time that a process has to stop by itself after the process that started it has ended."""


def run_in_new_process(function: Callable[..., Result], *arguments: object) -> Result:
    """Return the result of a module's function called in a new process; arguments and result are passed as JSON.

    Raise MachineError if the function fails. The traceback of a mistake in the code is then on stderr. The new process
    ends when this one ends. It ignores Ctrl-C, which this process handles by ending it.
    """
    module, name = function.__module__, function.__name__
    command = [sys.executable, "-c", CODE, module, name, json.dumps(arguments)]
    with interrupts_kept_from_new_processes():
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        try:
            printed = process.stdout.read()
        except BaseException:
            process.stdin.close()  # see stop_with_parent
            process.wait()
            raise
    if process.returncode < 0:
        signal = Signals(-process.returncode)
        killed = signal is Signals.SIGKILL
        advice = ", usually for lack of memory; free some, then run the command again" if killed else ""
        raise MachineError(f"{module}.{name}: the process of this measurement was ended by {signal.name}{advice}")
    if process.returncode:
        raise MachineError(f"{module}.{name}: this measurement failed; the lines above say where")
    answer = json.loads(printed)
    if "error" in answer:
        raise MachineError(answer["error"])
    return answer["result"]


def print_answer(module: str, name: str, arguments: str) -> None:
    """Print the result of a module's function, or the text of an error that needs no traceback, as JSON.

    What the function prints goes to stderr, since stdout holds the answer.
    """
    try:
        with stopped_by_command(), contextlib.redirect_stdout(sys.stderr):
            stop_with_parent()
            result = getattr(importlib.import_module(module), name)(*json.loads(arguments))
    except Stopped:
        sys.exit(128 + Signals.SIGTERM)
    except Exception as error:
        failure = error if isinstance(error, AttestError) else machine_error(error)
        if failure is None:
            raise
        print(json.dumps({"error": str(failure)}))
    else:
        print(json.dumps({"result": result}))


def stop_with_parent() -> None:
    """Send SIGTERM to this process when its parent ends (standard input closes), and kill it some seconds later.

    A thread waits for the end of the parent, which takes no time from a measurement.
    """

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)
        os.kill(os.getpid(), Signals.SIGTERM)
        time.sleep(SECONDS_TO_END)
        os._exit(1)

    threading.Thread(target=watch, name="stop_with_parent", daemon=True).start()


def added_peak_memory(function: Callable[[], object]) -> int:
    """Call a function and return by how many bytes the memory of the process grew at its peak."""
    malloc.release_freed_memory()
    before, peak = process_memory(), PeakMemory("cpu")
    function()
    return max(0, peak.bytes() - before)
