"""The fixtures of the tests of commands: a home with the built-in corpora, and commands run in this process."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from attest.cli import main
from attest.runs.records import Record
from attest.runs.store import Store


@pytest.fixture
def quiet_home(home: Path, mini_data: Path) -> None:
    """The built-in corpora are there already."""
    (home / "cache/mini").symlink_to(mini_data)


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a command in this process."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        code = main(arguments)
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, said.out, said.err)

    return run


def records(home: Path, folder: str = "mini") -> list[Record]:
    """Return the records that commands have left in a home."""
    return list(Store(home / "results" / folder / "records"))
