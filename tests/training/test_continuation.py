import dataclasses
from pathlib import Path

import pytest

from attest.runs.store import Store
from attest.system import checkout
from attest.training import run
from attest.training.schedule import Schedule

SHORT = ("protocol.steps=4", "protocol.evaluate_every=2", "trainer.keep_last=true", "model=s2t")
LONG = (*SHORT[1:], "protocol.steps=8")


def made(settings, monkeypatch):
    """How many steps a run makes itself, and its record."""
    steps, take = [], Schedule.on_train_batch_end

    def counted(self, *arguments):
        steps.append(1)
        take(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Schedule, "on_train_batch_end", counted)
        record = run.run(settings)
    return len(steps), record


def test_a_longer_run_goes_on_and_comes_to_the_same(settings_with, monkeypatch, tmp_path):
    apart = made(settings_with(*LONG, f"paths.home={tmp_path}"), monkeypatch)
    run.run(settings_with(*SHORT))
    steps, record = made(settings_with(*LONG), monkeypatch)
    assert (apart[0], steps) == (8, 4)
    assert record.metrics == apart[1].metrics
    assert record.curve == apart[1].curve
    assert record.selected == apart[1].selected
    assert [entry["step"] for entry in record.curve] == [2, 4, 6, 8]


def test_a_longer_run_names_the_commit_of_its_beginning(settings_with, monkeypatch):
    run.run(settings_with(*SHORT))
    monkeypatch.setattr(checkout, "checkout_state", lambda: {"commit": "b" * 40, "uncommitted_changes": False})
    _, record = made(settings_with(*LONG), monkeypatch)
    assert [(part["commit"][0], part["from_step"]) for part in record.commits] == [("0", 0), ("b", 4)]


def test_a_beginning_that_another_process_deletes_is_no_failure(settings_with, monkeypatch):
    run.run(settings_with(*SHORT))

    def vanished(path, temporary):
        raise FileNotFoundError(path)

    monkeypatch.setattr("attest.training.continuation.shutil.copyfile", vanished)
    steps, record = made(settings_with(*LONG), monkeypatch)
    assert (steps, record.status) == (8, "done")


def test_the_longest_beginning_is_taken(settings_with, monkeypatch):
    run.run(settings_with(*SHORT))
    run.run(settings_with(*SHORT, "protocol.steps=6"))
    assert made(settings_with(*LONG), monkeypatch)[0] == 2


@pytest.mark.parametrize(
    "other",
    [
        ("seed=2",),
        ("optimizer.lr=0.1",),
        ("protocol.evaluate_every=4", "protocol.steps=4"),
        ("protocol.steps=3",),  # it looked at the dev set after step 3, which a longer run does not
        ("trainer.keep_last=false",),
        ("protocol.steps=12",),
    ],
)
def test_any_other_run_is_no_beginning(settings_with, monkeypatch, other):
    run.run(settings_with(*{text.partition("=")[0]: text for text in (*SHORT, *other)}.values()))
    assert made(settings_with(*LONG), monkeypatch)[0] == 8


def test_a_run_of_its_own_that_was_interrupted_comes_first(settings_with, monkeypatch):
    run.run(settings_with(*SHORT))
    settings = settings_with(*LONG)
    record = run.run(settings)
    Store(Path(settings.paths.records)).record_path(record.id).unlink()
    assert made(settings, monkeypatch)[0] == 0


def test_without_being_asked_no_checkpoint_is_kept(settings_with, home):
    run.run(settings_with("protocol.steps=2", "model=s2t"))
    assert not list(home.rglob("last.ckpt"))


def test_a_run_of_uncommitted_code_or_with_a_damaged_record_is_no_beginning(settings_with, monkeypatch):
    settings = settings_with(*SHORT)
    made_before = run.run(settings)
    store = Store(Path(settings.paths.records))
    changed = dataclasses.replace(made_before, environment={**made_before.environment, "uncommitted_changes": True})
    store.put(changed)
    assert made(settings_with(*LONG), monkeypatch)[0] == 8
    store.record_path(made_before.id).write_text("{half")
    assert made(settings_with(*LONG, "protocol.steps=10"), monkeypatch)[0] == 2, "that of 8 steps is whole"
