"""What a command says of a run that an earlier process left unfinished."""

import logging
from pathlib import Path

import pytest

from attest.runs.notes.step import NOTE_SECONDS, StepNote, describe_resumption
from attest.training import run
from attest.training.schedule import Schedule


@pytest.mark.parametrize(
    ("start", "reached", "resumes", "text"),
    [
        (0, 0, False, ""),
        (
            0,
            40,
            False,
            "begins again at step 1 of 8,000: the 40 steps before the interruption are lost, since no check",
        ),
        (0, 1, False, "begins again at step 1 of 8,000: the 1 step before the interruption is lost, since no check"),
        (1200, 0, True, "resuming at step 1,201 of 8,000, from the checkpoint of step 1,200"),
        (1200, 1287, True, "from the checkpoint of step 1,200; 87 later steps are lost and repeated"),
        (8000, 0, True, "resuming after the last step 8,000, from the checkpoint of step 8,000"),
    ],
)
def test_the_step_and_the_loss_are_named(start, reached, resumes, text):
    said = describe_resumption(start, 8000, reached, resumes=resumes)
    assert (text in said) if text else (said == "")


def test_a_note_is_written_once_in_a_while_and_a_damaged_one_counts_as_none(tmp_path, monkeypatch):
    now = 100.0
    monkeypatch.setattr("time.perf_counter", lambda: now)
    note = StepNote(tmp_path / "note")
    assert note.last_step() == 0
    note.write(3)
    note.write(4)
    assert note.last_step() == 3
    note.write(4, last=True)
    assert note.last_step() == 4
    now += NOTE_SECONDS
    note.write(5)
    assert note.last_step() == 5
    note.path.write_text("half a numb")
    assert note.last_step() == 0
    note.remove()
    note.remove()
    StepNote(tmp_path / "missing/note").write(1)


def test_a_kill_while_a_note_is_written_leaves_the_one_before(tmp_path, monkeypatch):
    monkeypatch.setattr("attest.runs.notes.step.NOTE_SECONDS", 0)
    note = StepNote(tmp_path / "note")
    note.write(3)
    (tmp_path / "kept").hardlink_to(note.path)
    note.write(4)
    assert StepNote(tmp_path / "kept").last_step() == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "note"]


class Killed(BaseException):
    """A kill, as far as the run can tell."""


def test_after_a_kill_the_same_run_says_where_it_goes_on(settings_with, monkeypatch, caplog):
    monkeypatch.setattr("attest.runs.notes.step.NOTE_SECONDS", 0)
    plainly = Schedule.on_train_batch_start

    def breaking(self, *arguments):
        if self.step_note.last_step() == 5:
            raise Killed
        if self.step_note.last_step() == 3:
            self._saved = -1e9  # the checkpoint after step 4 is overdue
        return plainly(self, *arguments)

    monkeypatch.setattr(Schedule, "on_train_batch_start", breaking)
    settings = settings_with("protocol.steps=8", "model=s2t", "trainer.on_train=false")
    with pytest.raises(Killed):
        run.run(settings)
    monkeypatch.setattr(Schedule, "on_train_batch_start", plainly)
    with caplog.at_level(logging.INFO, "attest"):
        record = run.run(settings)
    text = "resuming at step 5 of 8, from the checkpoint of step 4; 1 later step is lost and repeated"
    assert text in caplog.messages
    assert record.curve[-1]["step"] == 8
    left = sorted(path.name for path in Path(settings.paths.runs, record.id).iterdir())
    assert left == ["best-8.pt", "model.safetensors"]
