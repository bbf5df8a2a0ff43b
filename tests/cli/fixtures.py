"""The fixtures of the tests of commands: a home with the built-in corpora, and commands run in this process."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from homes import copy_run, with_corpora

from attest.cli import main
from attest.runs.records import Record


@pytest.fixture
def home_with_corpora(home: Path, mini_data: Path) -> Path:
    """The home of the test, in which the built-in corpora are made already."""
    return with_corpora(home, mini_data)


class CommandLine:
    """Commands in this process. What was printed before a command begins is dropped."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Return the exit code of a command and what it printed."""
        self.capture.readouterr()
        try:
            code = main(words)
        except SystemExit as stopped:  # argparse
            code = cast(int, stopped.code)
        printed = self.capture.readouterr()
        return subprocess.CompletedProcess(words, code, printed.out, printed.err)

    def output(self, *words: str) -> str:
        """Return the standard output of a command, which has to succeed."""
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def error(self, *words: str, code: int = 2) -> str:
        """Return the error of a command, which has to print one line alone and to exit with this code."""
        done = self.run(*words)
        assert (done.returncode, done.stdout) == (code, ""), done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr


@pytest.fixture
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty folder of the test, which commands of this process work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str]) -> CommandLine:
    """Runs commands in this process, each as a user types its words."""
    return CommandLine(capfd)


@pytest.fixture(scope="module")
def train_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, str, Callable[[], Record]], Record]:
    """Return the record of a training, and put its files into a home. A training of the same name is done once."""
    kept: dict[str, tuple[Record, Path]] = {}

    def train(home: Path, name: str, make: Callable[[], Record]) -> Record:
        if name not in kept:
            kept[name] = make(), tmp_path_factory.mktemp("kept")
            copy_run(kept[name][0].id, home, kept[name][1])
        record, folder = kept[name]
        copy_run(record.id, folder, home)
        return record

    return train
