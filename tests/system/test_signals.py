"""Signals that ask this process to stop, and what the processes that it starts see of them."""

import os
import signal
import subprocess
import sys
import time

import pytest
from system.closed_terminals import on_closed_terminal

from attest.system.signals import interrupts_kept_from_new_processes, stop_requests

WRITE_AFTER_A_SIGNAL = """
import os, signal, time
from attest.system.signals import stop_requests

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
with stop_requests() as request:
    os.write(1, b"listening")
    while not request.received:
        time.sleep(0.01)
    time.sleep(0.5)
    print("stopping", flush=True)
"""
SAY_HELLO_AND_SLEEP = "import time; print('loaded', flush=True); time.sleep(60)"


def test_ctrl_c_has_its_effect_here_and_not_in_a_process_that_loads():
    with interrupts_kept_from_new_processes():
        process = subprocess.Popen([sys.executable, "-c", SAY_HELLO_AND_SLEEP], stdout=subprocess.PIPE)
        with process:
            assert process.stdout.readline() == b"loaded\n"
            for receiver in (process.pid, os.getpid()):
                with pytest.raises(KeyboardInterrupt) if receiver == os.getpid() else pytest.raises(TimeoutError):
                    os.kill(receiver, signal.SIGINT)
                    wait_for_an_exception(process)
            process.terminate()
            assert process.wait(10) == -signal.SIGTERM, "it stops when this process says so"
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, [])


def wait_for_an_exception(process):
    """Wait half a second for the exception of a signal, or for the end of a process; raise TimeoutError then."""
    for _ in range(50):
        assert process.poll() is None, "the process was interrupted"
        time.sleep(0.01)
    raise TimeoutError


def test_a_signal_that_this_process_ignores_is_still_ignored():
    earlier = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as shells start a job in the background of a script
    try:
        with stop_requests() as request:
            signal.raise_signal(signal.SIGINT)
            assert not request.received
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, earlier)


def test_a_closed_terminal_is_a_request_to_stop():
    """It killed the process: a shell and the system each send SIGHUP, and what is still written there is an error."""
    with on_closed_terminal(WRITE_AFTER_A_SIGNAL, b"listening") as process:
        for _ in range(2):
            process.send_signal(signal.SIGHUP)
            time.sleep(0.1)
        assert process.wait(10) == 0
