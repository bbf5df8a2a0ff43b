"""Jobs in processes of their own: the order of their results, and their end with the command."""

import os
import signal
import time
from contextlib import suppress

import pytest
from commands import Command

from attest.transfer.parallel import run_jobs


def idle(arguments):
    """Start processes in a session of their own, which have no job any more, and wait."""
    os.setsid()
    run_jobs(abs, [(-1,), (-2,)], 2, ())
    print("begun", flush=True)
    time.sleep(60)


class Observer:
    def step(self, step, measure=None):
        print("begun", flush=True)


def busy(arguments):
    """Start processes in a session of their own that are at work for two minutes."""
    os.setsid()
    run_jobs(time.sleep, [(0,), (60,), (60,)], 2, [Observer()])


def test_results_have_the_order_of_their_jobs():
    assert run_jobs(abs, [(-1,), (-2,), (-3,)], 2, ()) == [1, 2, 3]
    assert run_jobs(abs, [(-1,)], None, ()) == [1]


@pytest.mark.parametrize(("main", "number"), [(idle, signal.SIGTERM), (busy, signal.SIGKILL)], ids=["idle", "busy"])
def test_processes_end_with_their_command(main, number):
    process = Command(main=main)
    try:
        with process:
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
