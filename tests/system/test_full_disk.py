"""A full disk and a read-only folder, for real: a small tmpfs is mounted, if that is allowed here."""

import subprocess

import pytest
import torch
from commands import run
from homes import records_of

from attest.errors import StorageError
from attest.system.files import atomic_file, write_bytes
from attest.system.write_errors import translate_write_errors

QUICK = (
    "model=s2t", "logger=none", "trainer.progress=false", "trainer.on_train=false", "protocol.steps=4",
    "protocol.evaluate_every=2",
)  # fmt: skip


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 400 kB."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(tmp_path)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting is not allowed here: {done.stderr.strip()}")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def train(home, mini_data, *arguments):
    return run("train", *QUICK, f"paths.data={mini_data}", *arguments, ATTEST_HOME=str(home))


def test_a_full_disk_is_one_sentence_and_earlier_records_stay(small_disk, home, mini_data):
    cache = f"paths.cache={home / 'cache'}"
    assert train(small_disk, mini_data, cache).returncode == 0
    records = records_of(small_disk)
    assert len(records) == 1
    filler = small_disk / "filler"
    with pytest.raises(OSError, match="No space"):
        filler.write_bytes(b"0" * 400_000)
    full = train(small_disk, mini_data, cache, "seed=2")
    assert full.returncode == 1
    assert (
        "no space is left there; free some, then run the same command again to continue. Earlier records are intact."
        in full.stderr
    )
    assert full.stderr.count("\n") == 1
    assert records_of(small_disk) == records
    filler.unlink()
    assert train(small_disk, mini_data, cache, "seed=2").returncode == 0
    assert len(records_of(small_disk)) == 2
    assert not [path for path in small_disk.rglob("*") if ".partial-" in path.name]


def test_a_full_disk_while_the_cache_is_written(small_disk, mini_data):
    full = train(small_disk, mini_data)
    assert full.returncode == 1
    assert "no space is left there" in full.stderr
    assert full.stderr.count("\n") <= 2  # the notice that the corpus is read, and the error
    assert not [path for path in small_disk.rglob("*") if ".partial-" in path.name]


def test_a_full_disk_while_torch_writes(small_disk):
    path = small_disk / "a.pt"
    with atomic_file(path) as file:
        torch.save({"a": torch.zeros(10)}, file)
    with pytest.raises(StorageError, match=r"cannot write .*a\.pt: no space is left there"), atomic_file(path) as file:
        torch.save({"a": torch.zeros(200_000), "b": torch.zeros(10)}, file)
    assert list(small_disk.iterdir()) == [path]
    assert len(torch.load(path, weights_only=True)["a"]) == 10


def test_a_read_only_folder_is_one_sentence(small_disk, home, mini_data):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    refused = train(small_disk, mini_data, f"paths.cache={home / 'cache'}")
    assert refused.returncode == 1
    assert "that folder is read-only" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_other_errors_are_left_alone(tmp_path):
    with pytest.raises(FileNotFoundError), translate_write_errors(tmp_path):
        (tmp_path / "nowhere").read_bytes()
    with pytest.raises(StorageError, match="this is a folder; name a file"), translate_write_errors(tmp_path):
        tmp_path.write_bytes(b"")
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        write_bytes(tmp_path / "file/inside", b"")
    with pytest.raises(StorageError, match="you may not write there"), translate_write_errors(tmp_path / "x"):
        raise PermissionError(13, "denied")
