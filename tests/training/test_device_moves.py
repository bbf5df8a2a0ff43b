"""Runs that go on on another device or with other code: the record lists the devices and commits."""

from pathlib import Path

import pytest
from training.interruptions import Interrupted

from attest.config.flat import to_plain
from attest.runs.store import Store
from attest.system import checkout, environment
from attest.training import run
from attest.training.schedule import Schedule

STEPS = (
    "model=s2t", "protocol.steps=12", "protocol.evaluate_every=4", "trainer.checkpoint_seconds=0",
    "trainer.on_train=false",
)  # fmt: skip


def run_until(settings, last, monkeypatch):
    """Train, and break off after the checkpoint of step `last`."""
    plainly = Schedule.save

    def breaking(self, trainer):
        plainly(self, trainer)
        if trainer.global_step == last:
            raise Interrupted

    with monkeypatch.context() as patch, pytest.raises(Interrupted):
        patch.setattr(Schedule, "save", breaking)
        run.run(settings)


def test_the_record_lists_the_devices_of_a_run_that_moved(settings_with, tmp_path, monkeypatch):
    undisturbed = run.run(settings_with(*STEPS, f"paths.home={tmp_path / 'whole'}"))
    assert [(use["precision"], use["from_step"]) for use in undisturbed.devices] == [("fp32", 0)]
    settings = settings_with(*STEPS, f"paths.home={tmp_path / 'moved'}")
    for name, last in (("processor A", 5), ("GPU B", 6), ("GPU B", 9)):
        monkeypatch.setattr(environment, "device_name", lambda device, name=name: name)
        run_until(settings, last, monkeypatch)
    monkeypatch.setattr(environment, "device_name", lambda device: "processor A")
    record = run.run(settings)
    assert [(use["name"], use["from_step"]) for use in record.devices] == [
        ("processor A", 0), ("GPU B", 5), ("processor A", 9),
    ]  # fmt: skip
    assert record.id == undisturbed.id
    assert record.metrics == undisturbed.metrics
    assert [*Store(Path(settings.paths.records))] == [record]
    assert to_plain(record)["curve"] == to_plain(undisturbed)["curve"]


UNCOMMITTED = {"commit": "a" * 40, "uncommitted_changes": True}
COMMITTED = {"commit": "b" * 40, "uncommitted_changes": False}


@pytest.mark.parametrize("last", [5, 12], ids=["within", "after the last step"])
def test_a_run_of_which_a_part_was_uncommitted_is_marked(last, settings_with, monkeypatch):
    settings = settings_with(*STEPS)
    monkeypatch.setattr(checkout, "checkout_state", lambda: UNCOMMITTED)
    run_until(settings, last, monkeypatch)
    monkeypatch.setattr(checkout, "checkout_state", lambda: COMMITTED)
    record = run.run(settings)
    assert (record.environment["commit"], record.uncommitted) == (COMMITTED["commit"], True)


def test_the_commit_is_that_of_the_begin_of_the_last_part(settings_with, monkeypatch):
    settings = settings_with(*STEPS)
    run_until(settings, 5, monkeypatch)
    states = iter([COMMITTED])
    monkeypatch.setattr(checkout, "checkout_state", lambda: next(states, UNCOMMITTED))
    record = run.run(settings)
    assert (record.environment["commit"], record.uncommitted) == (COMMITTED["commit"], False)


@pytest.mark.parametrize("last", [5, 12], ids=["within", "after the last step"])
def test_a_run_of_more_than_one_commit_names_each_with_its_first_step(last, settings_with, monkeypatch, caplog):
    settings = settings_with(*STEPS)
    before = {"commit": "a" * 40, "uncommitted_changes": False}
    monkeypatch.setattr(checkout, "checkout_state", lambda: before)
    run_until(settings, last, monkeypatch)
    assert "checkpoint was trained by commit" not in caplog.text
    monkeypatch.setattr(checkout, "checkout_state", lambda: COMMITTED)
    caplog.set_level("INFO")
    record = run.run(settings)
    assert caplog.text.count("the checkpoint was trained by commit aaaaaaaaaaaa, this code is commit bbbbbbbbbbbb") == 1
    assert (record.environment["commit"], record.uncommitted) == (COMMITTED["commit"], False)
    assert list(record.commits) == [{"commit": "a" * 40, "from_step": 0}, {"commit": "b" * 40, "from_step": last}]
    assert [*Store(Path(settings.paths.records))] == [record]


def test_a_run_of_one_commit_names_it_once(settings_with, monkeypatch, caplog):
    settings = settings_with(*STEPS)
    caplog.set_level("INFO")
    run_until(settings, 5, monkeypatch)
    record = run.run(settings)
    assert (record.environment["commit"], list(record.commits)) == ("0" * 40, [])
    assert "checkpoint was trained by commit" not in caplog.text


def test_evaluations_in_bf16_select_weights_and_give_no_figure(settings_with, tmp_path):
    """The two runs make the same steps. Their curves differ, and the final figures of equal weights do not."""
    steps = (*STEPS, "protocol.evaluate_every=12", "trainer.precision=bf16")
    exact = run.run(settings_with(*steps, f"paths.home={tmp_path / 'exact'}"))
    quick = run.run(settings_with(*steps, "trainer.evaluation_precision=training", f"paths.home={tmp_path / 'quick'}"))
    assert quick.id != exact.id
    assert quick.settings["trainer.evaluation_precision"] == "training"
    assert quick.metrics == exact.metrics
    losses = [record.curve[-1]["dev/loss"] for record in (exact, quick)]
    assert losses[0] == exact.metrics["dev/loss"]
    assert losses[0] != losses[1]
    assert losses[0] == pytest.approx(losses[1], rel=0.02)
