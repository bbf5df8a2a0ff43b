"""A process whose lease another machine has taken over writes nothing more."""

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
from system.holders_elsewhere import ELSEWHERE

from attest.errors import LeaseLostError
from attest.runs.notes.step import StepNote
from attest.system import leases
from attest.system.files import atomic_folder, discard, discard_folder, write_text
from attest.system.holders import create_lease, read_holder
from attest.system.leases import lease, remove_dead_lease


def taken_over(path):
    """Another machine takes the lease at `path` over, whose heart it has not heard for a minute."""
    os.utime(path, (0, 0))
    remove_dead_lease(path, replace(read_holder(path), place="ffffffff"))  # which finds no such holder
    leases.remove_tree(read_holder(path).folder(path))
    path.unlink()
    create_lease(path, ELSEWHERE)


def test_a_loser_writes_nothing_and_says_so(tmp_path):
    path, file = tmp_path / "run/lease.json", tmp_path / "run/last.ckpt"
    with pytest.raises(LeaseLostError, match="run run was taken over by process 1 on other, since this"), lease(path):
        write_text(file, "mine")
        taken_over(path)
        file.write_text("the winner's")
        with pytest.raises(LeaseLostError):
            discard(file)
        write_text(file, "mine, too late")
    assert file.read_text() == "the winner's"
    assert read_holder(path) == ELSEWHERE
    assert sorted(p.name for p in path.parent.iterdir()) == ["last.ckpt", "lease.json"]


def test_a_loser_neither_deletes_nor_creates_a_folder(tmp_path):
    path, folder = tmp_path / "run/lease.json", tmp_path / "corpora"
    folder.mkdir()
    with pytest.raises(LeaseLostError), lease(path), atomic_folder(tmp_path / "new"):
        taken_over(path)
        with pytest.raises(LeaseLostError):
            discard_folder(folder)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["corpora", "run"]


def test_a_loss_that_the_heart_has_found_ends_the_steps_too(tmp_path):
    path, note = tmp_path / "run/lease.json", StepNote(tmp_path / "run/step")
    with pytest.raises(LeaseLostError), lease(path) as mine:
        note.write(1)
        taken_over(path)
        assert not mine.beat()
        StepNote(note.path).write(2)
    assert note.last_step() == 1


def test_a_write_between_its_check_and_its_move_is_fenced(tmp_path, monkeypatch):
    """The process is suspended there, for as long as another machine needs to take the run over."""
    path, file, move = tmp_path / "run/lease.json", tmp_path / "run/last.ckpt", os.replace

    def suspended(*paths):
        monkeypatch.setattr(os, "replace", move)
        taken_over(path)
        file.write_text("the winner's")
        move(*paths)

    with pytest.raises(LeaseLostError), lease(path):
        monkeypatch.setattr(os, "replace", suspended)
        write_text(file, "mine, too late")
    assert file.read_text() == "the winner's"


def test_another_disk_than_that_of_the_lease_is_written_to(tmp_path, monkeypatch):
    path, file, move = tmp_path / "run/lease.json", tmp_path / "records/a.json", os.replace

    def across(source, target):
        if Path(source).parent != Path(target).parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        move(source, target)

    with lease(path):
        monkeypatch.setattr(os, "replace", across)
        write_text(file, "a record")
        monkeypatch.setattr(os, "replace", move)
    assert file.read_text() == "a record"
    assert [p.name for p in file.parent.iterdir()] == ["a.json"]


def test_an_unreadable_lease_is_waited_for(tmp_path, monkeypatch):
    path, seconds = tmp_path / "run/lease.json", iter(range(1000))
    with lease(path) as mine:
        monkeypatch.setattr(leases.time, "sleep", lambda seconds: None)
        monkeypatch.setattr(leases.time, "monotonic", lambda: next(seconds))
        answers = [OSError(errno.EIO, "Input/output error")] * 3
        monkeypatch.setattr(leases, "read_holder", lambda path: pop_or(answers, mine.holder))
        mine.check()
        assert answers == []
        answers += [OSError(errno.EIO, "Input/output error")] * 100
        with pytest.raises(OSError, match="Input/output"):
            mine.check()
        assert not mine.lost
        monkeypatch.undo()


def pop_or(answers, otherwise):
    """Raise the next of the errors, or return what there is otherwise."""
    if answers:
        raise answers.pop()
    return otherwise
