"""Jobs in processes of their own: the order of their results, and their end with the command."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from attest.transfer.parallel import run_jobs

IDLE = """
import time
from attest.transfer.parallel import run_jobs

run_jobs(abs, [(-1,), (-2,)], 2, ())
print("begun", flush=True)
time.sleep(60)
"""
"""A command whose processes have no job any more."""
BUSY = """
import time
from attest.transfer.parallel import run_jobs

class Observer:
    def step(self, step, measure=None):
        print("begun", flush=True)

run_jobs(time.sleep, [(0,), (60,), (60,)], 2, [Observer()])
"""
"""A command whose processes are at work."""


def test_results_have_the_order_of_their_jobs():
    assert run_jobs(abs, [(-1,), (-2,), (-3,)], 2, ()) == [1, 2, 3]
    assert run_jobs(abs, [(-1,)], None, ()) == [1]


@pytest.mark.parametrize(
    ("command", "number"),
    [(IDLE, signal.SIGTERM), (BUSY, signal.SIGKILL)],
    ids=["idle", "busy"],
)
def test_processes_end_with_their_command(command, number):
    process = subprocess.Popen(
        [sys.executable, "-c", command], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            process.send_signal(number)
        until = time.monotonic() + 50
        with pytest.raises(ProcessLookupError):
            while time.monotonic() < until:
                os.killpg(process.pid, 0)
                time.sleep(0.1)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
