"""The life cycle of a run that does nothing: what is recorded, found again, and left alone."""

import os
import time
import types

import pytest
from runs.made_records import made_record
from system.holders_elsewhere import dead_holder

from attest.errors import FailedBeforeError, LeaseLostError, MachineError, StorageError
from attest.runs.lifecycle import run_once
from attest.runs.notes.command import CommandNote, read_command, write_command
from attest.runs.notes.unfinished import note_start
from attest.runs.observers import no_observers
from attest.runs.store import Store
from attest.system.files import partial_path
from attest.system.holders import create_lease
from attest.system.leases import lease, lease_beside, lease_file

UNCOMMITTED = {"environment": {"uncommitted_changes": True}}


@pytest.fixture
def once(tmp_path):
    """A function that makes the run abc, by a function that may fail, and the store of its record."""
    paths = types.SimpleNamespace(runs=tmp_path / "runs", records=tmp_path / "records", cache=tmp_path / "cache")
    trainer = types.SimpleNamespace(keep_last=False)
    settings = types.SimpleNamespace(
        paths=paths, retry_failed=False, retry_uncommitted=True, trainer=trainer, packages=()
    )

    def call(train=lambda: None):
        def trained(observers):
            train()
            return made_record(selected={"step": 1}), None

        return run_once("abc", settings, no_observers, trained, made_record)

    call.settings = settings
    return call, Store(paths.records)


def make_newer(path):
    """Give a file a later time, as copying does, or the clock of another disk."""
    os.utime(path, (time.time() + 60,) * 2)


@pytest.mark.parametrize(
    ("error", "raised", "reason"),
    [
        (MemoryError(), MachineError, "the memory is used up; free some, then run the same command again to continue"),
        (OSError(5, "Input/output error"), MachineError, r"the disk or the system failed; .*again .*Input/output"),
        (StorageError("cannot write"), StorageError, "cannot write"),
        (LeaseLostError("taken over"), LeaseLostError, "taken over"),
    ],
)
def test_a_failure_of_the_machine_blocks_no_later_start(once, error, raised, reason, tmp_path):
    call, store = once
    write_command(tmp_path / "runs/abc", CommandNote(name="a run", command="attest train"))

    def fail():
        raise error

    with pytest.raises(raised, match=reason):
        call(fail)
    assert list(store) == []
    assert read_command(tmp_path / "runs/abc") is not None
    assert call().status == "done"
    assert read_command(tmp_path / "runs/abc") is None


def test_a_fault_of_the_run_does(once, tmp_path):
    """The command of an earlier, interrupted start no longer continues the run."""
    call, store = once
    write_command(tmp_path / "runs/abc", CommandNote(name="a run", command="attest train"))
    with pytest.raises(ZeroDivisionError):
        call(lambda: 1 / 0)
    assert read_command(tmp_path / "runs/abc") is None
    assert store.get("abc").status == "failed"
    with pytest.raises(FailedBeforeError):
        call()


def test_a_run_that_failed_begins_again_at_step_1(once, tmp_path):
    """It resumed the checkpoint that the faulty code had trained, and recorded its figures for the corrected code."""
    call, store = once
    folder = tmp_path / "runs/abc"
    files = [folder / "last.ckpt", folder / "step.json"]

    def found():
        return [path.name for path in files if path.exists()]

    def fail():
        for path in files:
            path.touch()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        call(fail)
    call.settings.retry_failed = True

    def stop():
        assert found() == []
        files[0].touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call(stop)
    make_newer(store.record_path("abc"))
    seen = []
    assert call(lambda: seen.extend(found())).status == "done"
    assert seen == ["last.ckpt"], "an interrupted repetition goes on"


def test_a_kept_checkpoint_stays(once, tmp_path, caplog):
    call, _ = once
    checkpoint = tmp_path / "runs/abc/last.ckpt"
    call.settings.trainer.keep_last = True
    call(checkpoint.touch)
    call.settings.trainer.keep_last = False
    call()
    assert checkpoint.is_file()
    note_start(checkpoint.parent, None)
    call()
    assert not checkpoint.exists(), "a process that was killed before it cleaned up has left it"
    call.settings.trainer.keep_last = True
    with caplog.at_level("INFO"):
        call()
    assert "abc: finished earlier without trainer.keep_last, so there is no last checkpoint to keep" in caplog.text


def test_the_plain_command_leaves_an_interrupted_repetition_as_it_is(once, tmp_path):
    """It deleted the checkpoint of a repetition that was killed, which then began again at step 1."""
    call, store = once
    store.put(made_record(selected={"step": 1}, **UNCOMMITTED))
    folder = tmp_path / "runs/abc"
    left = [folder / name for name in ("best-1.pt", "best-4.pt", "step.json", "last.ckpt")]

    def stop():
        write_command(folder, CommandNote(name="a run", command="attest train"))
        for path in left:
            path.touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call(stop)
    create_lease(folder / "lease.json", dead_holder())
    make_newer(store.record_path("abc"))
    call.settings.retry_uncommitted = False
    call()
    assert all(path.is_file() for path in left)
    assert read_command(folder) is not None
    (folder / "last.ckpt").unlink()
    call()
    assert [path.is_file() for path in left] == [True, False, False, False]
    assert read_command(folder) is None


def test_what_killed_processes_left_in_shared_folders_goes(once, tmp_path):
    call, _ = once
    call()
    dead = dead_holder()
    corpora, run = tmp_path / "cache/corpora", tmp_path / "runs/abc"
    corpora.mkdir(parents=True)
    create_lease(lease_beside(corpora / "snli"), dead)
    partials = [partial_path(path) for path in (run / "best-1.pt", tmp_path / "records/abc.json", corpora / "sst")]
    partials = [path.with_name(path.name.replace(f"-{os.getpid()}-", f"-{dead.pid}-")) for path in partials]
    for path in partials:
        path.touch()
    with lease(lease_file(run)), lease(lease_beside(corpora / "sst")):
        call()
        assert [path.name for path in corpora.glob("*.json")] == ["sst.lease.json"]
    assert [path.exists() for path in partials] == [True, False, False], "another process works on the run"
    call()
    assert not partials[0].exists()


def test_a_checkpoint_goes_when_the_run_is_recorded(once, tmp_path):
    call, _ = once
    call((tmp_path / "runs/abc/last.ckpt").touch)
    assert not (tmp_path / "runs/abc/last.ckpt").exists()


def test_a_repetition_that_fails_leaves_the_finished_record(once, tmp_path):
    """The next one resumed the checkpoint that the faulty code had trained."""
    call, store = once
    checkpoint = tmp_path / "runs/abc/last.ckpt"
    store.put(made_record(metrics={"test/accuracy": 80.0}, **UNCOMMITTED))

    def fail():
        checkpoint.touch()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        call(fail)
    assert store.get("abc").metrics == {"test/accuracy": 80.0}
    seen = []
    record = call(lambda: seen.append(checkpoint.exists()))
    assert record.metrics == {}, "the repetition that succeeds takes its place"
    assert seen == [False]
    assert not list((tmp_path / "runs/abc").iterdir())
