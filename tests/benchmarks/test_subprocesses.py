"""Measurements in processes of their own: their results, their failures and their memory."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from commands import Command
from marks import glibc

from attest.benchmarks.spec import load_benchmark
from attest.benchmarks.subprocesses import run_in_new_process
from attest.errors import MachineError

ROOM_LEFT = """
from attest.benchmarks.subprocesses import added_peak_memory

def sixteen_megabytes():
    return [bytearray(2**14) for _ in range(2**10)]

left, top = sixteen_megabytes(), bytearray(2**14)  # what is behind the pieces keeps their room in the process
del left
print(added_peak_memory(sixteen_megabytes))
"""


def test_what_is_printed_goes_to_stderr(capfd):
    assert run_in_new_process(print, "words") is None
    assert capfd.readouterr() == ("", "words\n")


@pytest.mark.parametrize(
    ("call", "message", "traceback"),
    [
        ((load_benchmark, "cores"), "^cores: there is no such benchmark. Did you mean core?", ""),
        ((json.loads, "{"), "^json.loads: this measurement failed; the lines above say where", "JSONDecodeError"),
        (
            (signal.raise_signal, 9),
            "raise_signal: the process of this measurement was ended by SIGKILL, usually for lack of memory",
            "",
        ),
        ((signal.raise_signal, 6), "the process of this measurement was ended by SIGABRT$", ""),
    ],
    ids=["error", "mistake in the code", "killed", "crashed"],
)
def test_a_failure_is_one_sentence_and_at_most_one_traceback(call, message, traceback, capfd):
    with pytest.raises(MachineError, match=message):
        run_in_new_process(*call)
    printed = capfd.readouterr().err
    assert traceback in printed
    assert printed.count("Traceback") == bool(traceback)


def measure(arguments):
    """Start a measurement of a minute in a session of its own; return the exit code of a command."""
    os.setsid()
    try:
        run_in_new_process(exec, "print('begun', flush=True); import time; time.sleep(60)")
    except KeyboardInterrupt:
        return 130
    return 0


@pytest.mark.parametrize(
    ("send", "number", "code"),
    [(os.kill, signal.SIGTERM, -signal.SIGTERM), (os.kill, signal.SIGKILL, -signal.SIGKILL),
     (os.killpg, signal.SIGINT, 130)],
    ids=["asked to stop", "killed", "Ctrl-C in a terminal"],
)  # fmt: skip
def test_a_measurement_ends_with_its_command_and_says_nothing(send, number, code):
    with Command(main=measure) as process:
        assert process.stderr.readline() == "begun\n"
        began = time.monotonic()
        send(process.pid, number)
        assert process.stderr.read() == "", "read to its end, which comes when both processes have ended"
    assert process.returncode == code
    assert time.monotonic() - began < 50


@glibc
def test_a_peak_has_what_finds_room_that_others_left():
    printed = subprocess.run([sys.executable, "-c", ROOM_LEFT], capture_output=True, text=True, check=True).stdout
    assert int(printed) > 15 * 2**20
