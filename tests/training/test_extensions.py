"""Callbacks and profilers of the user's own."""

import pytest

from attest.config.compose import compose
from attest.errors import SettingsError
from attest.reproduction.pages.run import provenance_lines
from attest.runs.identity import identifying_settings, run_id
from attest.training import run as training

CALLBACK = "trainer.callbacks=[{_target_: attest_callbacks.Counter, path: %s}]"
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


def test_a_callback_that_needs_a_logger_of_lightning_is_refused(settings_with):
    callbacks = "trainer.callbacks=[{_target_: pytorch_lightning.callbacks.LearningRateMonitor}]"
    with pytest.raises(SettingsError, match=r"trainer.callbacks\[0\]._target_: .*writes to a logger of Lightning"):
        training.run(settings_with(callbacks))


def test_only_callbacks_are_called(settings_with, home):
    profiler = "trainer.callbacks=[{_target_: pytorch_lightning.profilers.SimpleProfiler}]"
    with pytest.raises(SettingsError, match="SimpleProfiler is no Callback of Lightning"):
        training.run(settings_with("protocol.steps=1", profiler))
    assert not list((home / "results").rglob("*.json")), "no record of a failure stands in the way of the next start"
