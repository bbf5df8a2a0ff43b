"""The fixtures of the tests of commands: a home with the built-in corpora, and commands run in this process."""

import shutil
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


def copy_run(identity: str, source: Path, target: Path) -> None:
    """Copy the record and the folder of a run from one home to another."""
    for path in (*source.glob(f"results/*/records/{identity}*"), *source.glob(f"runs/{identity}/**/*")):
        copied = target / path.relative_to(source)
        copied.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and not copied.exists():
            shutil.copy2(path, copied)


def refusal(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a command line that argparse refuses prints."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    return capsys.readouterr().err


def records(home: Path, folder: str = "mini") -> list[Record]:
    """Return the records that commands have left in a home."""
    return list(Store(home / "results" / folder / "records"))
