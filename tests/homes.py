"""Homes of Attest for tests: the built-in corpora in them, and what commands leave there."""

import shutil
from pathlib import Path

from attest.runs.records import Record
from attest.runs.store import Store


def with_corpora(home: Path, mini_data: Path) -> Path:
    """Return a home, in which the built-in corpora of this folder are those that commands find."""
    (home / "cache").mkdir(parents=True, exist_ok=True)
    (home / "cache/mini").symlink_to(mini_data)
    return home


def store_of(home: Path, folder: str = "mini") -> Store:
    """Return the store of the records that commands leave in a home."""
    return Store(home / "results" / folder / "records")


def records_of(home: Path, folder: str = "mini") -> list[Record]:
    """Return the records that commands have left in a home."""
    return list(store_of(home, folder))


def copy_run(identity: str, source: Path, target: Path) -> None:
    """Copy the record and the folder of a run from one home to another."""
    for path in (*source.glob(f"results/*/records/{identity}*"), *source.glob(f"runs/{identity}/**/*")):
        copied = target / path.relative_to(source)
        copied.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and not copied.exists():
            shutil.copy2(path, copied)
