"""Callbacks and profilers of the user's own."""

import pytest

from attest.config.compose import compose
from attest.errors import SettingsError, TrainingError
from attest.reproduction.pages.terminal.run import provenance_lines
from attest.runs.identity import identifying_settings, run_id
from attest.training import run as training

CALLBACK = "trainer.callbacks=[{_target_: attest_callbacks.Counter, path: %s}]"
OF_LIGHTNING = "trainer.callbacks=[{_target_: pytorch_lightning.callbacks.%s}]"
"""The override for a callback of Lightning, given by its name and its arguments."""
PROFILER = "trainer.profiler={_target_: pytorch_lightning.profilers.SimpleProfiler, dirpath: %s, filename: profile}"
MODULE = """
from pathlib import Path
import pytorch_lightning as pl

class Counter(pl.Callback):
    def __init__(self, path: str) -> None:
        self.path = Path(path)

    def on_train_batch_end(self, trainer, *arguments) -> None:
        self.path.write_text(str(trainer.global_step))
"""


def test_a_callback_and_a_profiler_of_ones_own(settings_with, tmp_path, monkeypatch):
    (tmp_path / "attest_callbacks.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    own = ["packages=[attest,torch.optim,attest_callbacks]", CALLBACK % (tmp_path / "steps"), PROFILER % tmp_path]
    plain, settings = (
        settings_with("model=s2t", "protocol.steps=3"),
        settings_with("model=s2t", "protocol.steps=3", *own),
    )
    assert run_id(settings, "f") == run_id(plain, "f")
    assert identifying_settings(settings) == identifying_settings(plain)
    record = training.run(settings)
    assert (tmp_path / "steps").read_text() == "3"
    assert "run_training_batch" in next(tmp_path.glob("*profile*")).read_text()
    assert not any("callbacks" in key or "profiler" in key for key in record.settings)
    assert record.environment["callbacks"] == ["attest_callbacks.Counter"]
    assert "attest_callbacks.Counter" in "\n".join(provenance_lines(record))
    assert "callbacks" not in training.describe_computation(plain)


@pytest.mark.parametrize(
    ("override", "reason"),
    [
        (
            "trainer.callbacks=[{_target_: elsewhere.Callback}]",
            r"callbacks\[0\]._target_: elsewhere.Callback is in",
        ),
        ("trainer.callbacks=[{_target_: pytorch_lightning.callbacks.Timer, durration: 1}]", "Did you mean .*duration"),
        ("trainer.profiler={_target_: pytorch_lightning.profilers.Simple}", "has no class Simple. Did you mean Simple"),
    ],
)
def test_a_mistake_is_named_before_anything_is_read(override, reason):
    with pytest.raises(SettingsError, match=reason):
        compose([override])


@pytest.mark.parametrize(
    ("callback", "reason"),
    [
        ("LearningRateMonitor", "writes to a logger of Lightning, .*logger=wandb"),
        ("DeviceStatsMonitor", "writes to a logger of Lightning, .*logger=wandb"),
        ("EarlyStopping, monitor: dev/accuracy", "reads metrics that are logged to Lightning, .* protocol.min_lr"),
        ("Timer, duration: '00:00:10:00'", "ends the training at a time, .* set protocol.steps or protocol.epochs"),
        ("ModelCheckpoint", "saves checkpoints of Lightning, .* trainer.checkpoint_seconds and trainer.keep_last"),
        ("OnExceptionCheckpoint, dirpath: x", "saves checkpoints of Lightning, .* trainer.checkpoint_seconds"),
        ("RichProgressBar", "is a progress bar of Lightning, .* trainer.progress"),
        ("TQDMProgressBar", "is a progress bar of Lightning, .* trainer.progress"),
        ("StochasticWeightAveraging, swa_lrs: 0.05", "averages weights, .* would change no figure; leave it out"),
        ("WeightAveraging", "averages weights, .* would change no figure; leave it out"),
        ("EMAWeightAveraging", "averages weights, .* would change no figure; leave it out"),
        ("LearningRateFinder", "changes how a run trains, which only settings may do: .* set protocol.batch_size"),
        ("BatchSizeFinder", "changes how a run trains, which only settings may do"),
        ("GradientAccumulationScheduler, scheduling: {0: 2}", "changes how a run trains, which only settings may do"),
        ("BackboneFinetuning", "changes how a run trains, which only settings may do"),
    ],
)
def test_an_unsuitable_callback_is_refused(callback, reason, settings_with, home):
    name = callback.partition(",")[0]
    message = rf"^trainer.callbacks\[0\]._target_: pytorch_lightning.callbacks.{name} {reason}"
    with pytest.raises(SettingsError, match=message):
        training.run(settings_with(OF_LIGHTNING % callback))
    assert not list((home / "results").rglob("*.json")), "no record of a failure stands in the way of the next start"


@pytest.mark.parametrize(
    "callback", ["WeightAveraging", "StochasticWeightAveraging, swa_lrs: 0.05, swa_epoch_start: 1"]
)
def test_averaged_weights_would_indeed_change_no_figure(callback, settings_with, tmp_path, monkeypatch):
    """If this fails, callbacks that average weights have come to be of use and must no longer be refused."""
    quick = ("model=s2t", "protocol.steps=6", "protocol.evaluate_every=2", "trainer.on_train=false")
    plain = training.run(settings_with(*quick))
    monkeypatch.setattr(training, "check_extension_classes", lambda *given: None)
    averaged = training.run(settings_with(*quick, OF_LIGHTNING % callback, f"paths.home={tmp_path / 'averaged'}"))
    assert (averaged.curve, averaged.metrics) == (plain.curve, plain.metrics)


def test_a_callback_of_ones_own_that_derives_from_an_unsuitable_one_is_refused(settings_with, tmp_path, monkeypatch):
    (tmp_path / "attest_stopping.py").write_text(
        "from pytorch_lightning.callbacks import EarlyStopping\n\nclass Own(EarlyStopping):\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    own = "trainer.callbacks=[{_target_: attest_stopping.Own, monitor: dev/accuracy}]"
    with pytest.raises(SettingsError, match="attest_stopping.Own reads metrics that are logged to Lightning"):
        training.run(settings_with("packages=[attest,torch.optim,attest_stopping]", own))


def test_a_callback_that_ends_the_training_is_an_error(settings_with, tmp_path, monkeypatch):
    """A record of fewer steps than its settings say would pass for that of the whole run."""
    (tmp_path / "attest_ending.py").write_text(
        "import pytorch_lightning as pl\n\nclass Ending(pl.Callback):\n"
        "    def on_train_batch_end(self, trainer, *arguments) -> None:\n"
        "        trainer.should_stop = trainer.global_step >= 3\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    own = ("packages=[attest,torch.optim,attest_ending]", "trainer.callbacks=[{_target_: attest_ending.Ending}]")
    with pytest.raises(TrainingError, match="^trainer.callbacks: a callback ended the training after step 3 of 6;"):
        training.run(settings_with("model=s2t", "protocol.steps=6", "protocol.evaluate_every=2", *own))


def test_only_callbacks_are_called(settings_with, home):
    profiler = "trainer.callbacks=[{_target_: pytorch_lightning.profilers.SimpleProfiler}]"
    wanted = "SimpleProfiler is not a Lightning Callback; name a class that derives from pytorch_lightning"
    with pytest.raises(SettingsError, match=wanted):
        training.run(settings_with("protocol.steps=1", profiler))
    assert not list((home / "results").rglob("*.json")), "no record of a failure stands in the way of the next start"
