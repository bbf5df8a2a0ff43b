"""Runs that were started alone: which are shown, and the note of the command that continues each."""

import os
from pathlib import Path

from attest.reproduction.pages.terminal.launches import progress_of
from attest.runs.notes.command import CommandNote, remove_command, write_command
from attest.runs.notes.step import StepNote
from attest.runs.run_folder import command_file, step_file
from attest.runs.unlaunched_runs import unlaunched_runs
from attest.system.leases import lease, lease_file

NOTE = CommandNote(name="DiSAN seed=1", command="attest train seed=1")


def interrupt(folder: Path) -> None:
    with lease(lease_file(folder)):
        write_command(folder, NOTE)


def test_a_run_whose_lease_is_held_is_shown_until_it_ends(tmp_path):
    with lease(lease_file(tmp_path / "abc")):
        (view,) = unlaunched_runs(tmp_path)
        assert (view.name, view.status, view.command) == ("run abc", "running", "")
    assert unlaunched_runs(tmp_path) == []


def test_an_interrupted_run_keeps_the_command_that_continues_it(tmp_path):
    folder = tmp_path / "abc"
    interrupt(folder)
    (view,) = unlaunched_runs(tmp_path)
    assert (view.name, view.status, view.command) == ("DiSAN seed=1 run abc", "stopped", "attest train seed=1")
    assert (view.step, view.resumes) == (0, False)
    assert view.written == command_file(folder).stat().st_mtime
    StepNote(step_file(folder)).write(3, 8)
    os.utime(step_file(folder), (1e9, 1e9))
    (folder / "last.ckpt").touch()
    (view,) = unlaunched_runs(tmp_path)
    assert (view.step, view.steps, view.resumes, view.written) == (3, 8, True, 1e9)
    with lease(lease_file(folder)):
        assert unlaunched_runs(tmp_path)[0].status == "running"
        remove_command(folder)
    assert unlaunched_runs(tmp_path) == []


def test_runs_that_work_come_before_interrupted_ones_of_which_the_latest_is_first(tmp_path):
    for number, name in enumerate(["old", "new"]):
        interrupt(tmp_path / name)
        os.utime(command_file(tmp_path / name), (number, number))
    with lease(lease_file(tmp_path / "works")):
        assert [view.run_id for view in unlaunched_runs(tmp_path)] == ["works", "new", "old"]


def test_a_run_whose_step_is_not_known_goes_on_from_its_checkpoint(tmp_path):
    write_command(tmp_path / "abc", NOTE)
    (view,) = unlaunched_runs(tmp_path)
    assert (view.resumes, progress_of(view)) == (False, "")
    (tmp_path / "abc/last.ckpt").write_bytes(b"")
    (view,) = unlaunched_runs(tmp_path)
    assert (view.resumes, progress_of(view)) == (True, "goes on from its checkpoint")
    assert view.written == (tmp_path / "abc/last.ckpt").stat().st_mtime


def test_a_damaged_note_counts_as_none(tmp_path):
    interrupt(tmp_path / "abc")
    for text in ("{half", '{"name": "a", "command": "attest train\\nrm -r x"}'):
        command_file(tmp_path / "abc").write_text(text)
        assert unlaunched_runs(tmp_path) == []


def test_a_disk_that_refuses_the_note_does_not_stop_the_run(tmp_path):
    (tmp_path / "abc").write_text("no folder")
    write_command(tmp_path / "abc", NOTE)
    remove_command(tmp_path / "abc")
    assert (tmp_path / "abc").read_text() == "no folder"
