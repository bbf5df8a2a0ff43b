"""The command line in processes of their own, each forked from one that has loaded torch and Lightning already.

A test that starts Python anew pays three seconds of imports for each command; these processes pay none. What a shell
would see stays: arguments, environment, working folder, streams, exit code, and signals.
"""

import atexit
import json
import multiprocessing
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TextIO
from unittest.mock import patch

from places import ROOT

SOURCES = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
"""PYTHONPATH of a process that tests this checkout, whichever one is installed in the environment."""

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["preloaded"])


def start_server() -> None:
    """Start the process that all others are forked from. Python 3.11 does not pass on to it where preloaded.py is."""
    with patch.dict(os.environ, PYTHONPATH=SOURCES):
        forkserver.ensure_running()


def attest(arguments: Sequence[str]) -> int:
    """Run the command line; return its exit code."""
    from attest.cli import main

    return main(arguments)


class Command:
    """A command that runs. It has the names and the meaning of subprocess.Popen."""

    def __init__(
        self, *arguments: str, cwd: Path = ROOT, main: Callable[[Sequence[str]], int] = attest, **environment: str
    ) -> None:
        """Start the command in a folder, with additions to this environment.

        `main` takes the arguments and returns the exit code.
        """
        self.arguments = arguments
        (out, child_out), (err, child_err) = processes.Pipe(duplex=False), processes.Pipe(duplex=False)
        variables = {**os.environ, "PYTHONPATH": SOURCES, **environment}
        start_server()
        self.process = processes.Process(target=live, args=(main, arguments, cwd, variables, child_out, child_err))
        self.process.start()
        child_out.close()
        child_err.close()
        self.stdout, self.stderr = text_of(out), text_of(err)

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal; None while the process lives."""
        return self.process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def wait(self) -> int:
        self.process.join()
        assert self.process.exitcode is not None
        return self.process.exitcode

    def communicate(self) -> tuple[str, str]:
        """Return all that the process still writes, once it has ended."""
        with self, ThreadPoolExecutor(1) as reader:  # a pipe that nobody reads holds 64 kB, and then the process waits
            out = reader.submit(self.stdout.read)
            err = self.stderr.read()
            return out.result(), err

    def __enter__(self) -> "Command":
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
        self.stdout.close()
        self.stderr.close()


def wait_until_begun(home: Path, runs: int, seconds: float = 120) -> None:
    """Return when so many runs in a home have made a step; fail if that takes too long."""
    until = time.monotonic() + seconds
    while len(list(home.glob("runs/*/step.json"))) < runs:
        assert time.monotonic() < until, "the runs have not begun"
        time.sleep(0.1)


def text_of(pipe: Connection) -> TextIO:
    """Return a text stream of what comes through a pipe."""
    stream = os.fdopen(os.dup(pipe.fileno()), "r")
    pipe.close()
    return stream


def live(
    main: Callable[[Sequence[str]], int],
    arguments: tuple[str, ...],
    cwd: Path,
    environment: dict[str, str],
    out: Connection,
    err: Connection,
) -> None:
    """Run the command in the forked process, and end it with the exit code that Python would end with."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for pipe, descriptor in ((out, 1), (err, 2)):
        os.dup2(pipe.fileno(), descriptor)
        pipe.close()
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1, closefd=False) for number in (1, 2))
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]  # as Python ends, which multiprocessing does in another order
    atexit._run_exitfuncs()
    os._exit(code)


def run(
    *arguments: str, cwd: Path = ROOT, main: Callable[[Sequence[str]], int] = attest, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Return what a command printed and its exit code."""
    command = Command(*arguments, cwd=cwd, main=main, **environment)
    out, err = command.communicate()
    return subprocess.CompletedProcess(arguments, command.wait(), out, err)


def call(function: Callable[..., Any], *arguments: object) -> Any:
    """Return the result of a module's function called in a process of its own, as JSON would return it."""
    start_server()
    with processes.Pool(1) as pool:
        return json.loads(json.dumps(pool.apply(function, arguments)))
