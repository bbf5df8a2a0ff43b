"""Learning rates that shrink with what the dev set says, and training that ends with them (InferSent's recipe)."""

from contextlib import contextmanager
from pathlib import Path

import pytest
from training.interruptions import Interrupted, comparable

from attest.training import run
from attest.training.schedule import Schedule

RATES = ("protocol.lr_decay=0.5", "protocol.lr_decay_on_plateau=0.1", "protocol.min_lr=0.004")
QUICK = (
    "model=s2t", "optimizer=sgd", "protocol.steps=40", "protocol.evaluate_every=4", "trainer.on_train=false", *RATES
)  # fmt: skip


@pytest.fixture
def rates(monkeypatch):
    """(step, rate) after each look at the dev set."""
    plainly, seen = Schedule.decay_learning_rate, []

    def watched(self, trainer):
        rate = plainly(self, trainer)
        seen.append((trainer.global_step, self.best.step == trainer.global_step, rate))
        return rate

    monkeypatch.setattr(Schedule, "decay_learning_rate", watched)
    return seen


def test_the_rate_shrinks_until_training_ends(settings_with, rates):
    record = run.run(settings_with(*QUICK))
    rate = 0.1
    for _, gained, found in rates:
        rate *= 0.5 * (1.0 if gained else 0.1)
        assert found == pytest.approx(rate)
    assert [step for step, _, _ in rates] == [entry["step"] for entry in record.curve]
    assert rates[-1][2] < 0.004 <= rates[-2][2]
    assert record.curve[-1]["step"] < 40


@pytest.mark.parametrize("stopped_at", [4, 6], ids=["within", "after the last step"])
def test_observers_of_a_resumed_run_receive_its_curve(stopped_at, settings_with, monkeypatch):
    plainly, received = Schedule.save, []

    class Watcher:
        def resumed(self, curve):
            received.extend(entry["step"] for entry in curve)

        def __getattr__(self, name):
            return lambda *given: None

    @contextmanager
    def observe(*work):
        yield (Watcher(),)

    def breaking(self, trainer):
        plainly(self, trainer)
        if trainer.global_step == stopped_at:
            raise Interrupted

    settings = settings_with(
        "model=s2t", "protocol.steps=6", "protocol.evaluate_every=2", "trainer.checkpoint_seconds=0"
    )
    with monkeypatch.context() as patch, pytest.raises(Interrupted):
        patch.setattr(Schedule, "save", breaking)
        run.run(settings, observe)
    assert received == []
    run.run(settings, observe)
    assert received == list(range(2, stopped_at + 1, 2))


@pytest.mark.parametrize("again_after", [1, -1], ids=["within", "at the end"])
def test_an_interrupted_run_ends_where_it_would_have(again_after, settings_with, tmp_path, monkeypatch):
    undisturbed = run.run(settings_with(*QUICK, f"paths.home={tmp_path / 'whole'}"))
    end = undisturbed.curve[-1]["step"]
    broken_at = end if again_after == -1 else end - 2
    plainly = Schedule.save

    def breaking(self, trainer):
        plainly(self, trainer)
        if trainer.global_step == broken_at:
            raise Interrupted

    monkeypatch.setattr(Schedule, "save", breaking)
    settings = settings_with(*QUICK, "trainer.checkpoint_seconds=0", f"paths.home={tmp_path / 'broken'}")
    with pytest.raises(Interrupted):
        run.run(settings)
    monkeypatch.setattr(Schedule, "save", plainly)
    assert comparable(run.run(settings)) == comparable(undisturbed)
    assert len(list(Path(settings.paths.runs, undisturbed.id).glob("best-*.pt"))) == 1


@pytest.mark.parametrize("batches", ["unsorted", "by_length", "in_order"])
def test_the_epoch_of_an_evaluation_counts_passes_as_the_cost_does(batches, settings_with):
    settings = settings_with(
        "model=s2t", "protocol.steps=null", "protocol.epochs=3", "protocol.batch_size=1500",
        f"protocol.batches={batches}", "trainer.on_train=false",
    )  # fmt: skip
    record = run.run(settings)
    examples, last = record.data["splits"]["train"]["used"], record.curve[-1]
    assert examples % 1500 > 500, "whole batches in an epoch are far fewer than its examples"
    assert last["epoch"] == pytest.approx(3, abs=1500 / examples if batches == "unsorted" else 0)
    assert record.cost.epoch_seconds == pytest.approx(record.cost.step_seconds / last["epoch"], rel=1e-3)
