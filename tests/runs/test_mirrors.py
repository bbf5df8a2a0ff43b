"""Mirrors in files: a run with logger=[csv,...] beside or without W&B."""

import csv

import pytest
from runs.made_records import made_record
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

from attest.errors import SettingsError
from attest.runs.mirrors import mirror_record, open_mirrors
from attest.runs.observers import StepFigures
from attest.runs.run_card import RunCard

CARD = RunCard(id="abc", name="n", group=None, job_type="train", tags=(), notes="", config={"optimizer": {"lr": 0.5}})
RECORD = made_record(metrics={"test/accuracy": 81.5, "dev/accuracy": 80.0}, selected={"step": 2})


def rows(folder):
    with (folder / "metrics.csv").open() as file:
        return [{key: value for key, value in row.items() if value} for row in csv.DictReader(file)]


def test_the_figures_of_a_run_as_csv(settings_with, home):
    with open_mirrors(settings_with("logger=csv"), CARD, hidden=("test",)) as mirrors:
        (mirror,) = mirrors
        mirror.step(1, lambda: StepFigures(1.5, 0.5, 2.0, 64.0, 0.1))
        mirror.evaluated({"step": 2, "epoch": 0.1, "train/loss": 1.25, "dev/accuracy": 80.0})
        mirror.finished(RECORD)
    point, evaluation, end = rows(home / "runs/abc/csv/version_0")
    assert point == {"step": "1", "train/step_loss": "1.5", "train/lr": "0.5", "train/grad_norm": "2.0"}
    assert evaluation == {"step": "2", "epoch": "0.1", "train/loss": "1.25", "dev/accuracy": "80.0"}
    assert end == {"step": "2", "final/dev/accuracy": "80.0"}
    assert "lr: 0.5" in (home / "runs/abc/csv/version_0/hparams.yaml").read_text()


def test_a_resumed_run_keeps_what_was_written(settings_with, home):
    for step in (1, 2):
        with open_mirrors(settings_with("logger=csv"), CARD) as (mirror,):
            mirror.evaluated({"step": step, "epoch": 0.1, "dev/accuracy": 80.0})
    found = [rows(home / f"runs/abc/csv/version_{number}")[0]["step"] for number in (0, 1)]
    assert found == ["1", "2"]


def test_a_record_without_a_curve(settings_with, home):
    mirror_record(settings_with("logger=csv"), CARD, RECORD)
    assert rows(home / "runs/abc/csv/version_0") == [
        {"step": "2", "final/test/accuracy": "81.5", "final/dev/accuracy": "80.0"}
    ]


def test_no_mirror_opens_nothing(settings_with, home):
    mirror_record(settings_with("logger=none"), CARD, RECORD)
    assert not (home / "runs").exists()


def test_the_figures_of_a_run_for_tensorboard(settings_with, home):
    with open_mirrors(settings_with("logger=[csv,tensorboard]"), CARD, hidden=("test",)) as mirrors:
        for mirror in mirrors:
            mirror.step(1, lambda: StepFigures(1.5, 0.5, 2.0, 64.0, 0.1))
            mirror.evaluated({"step": 2, "epoch": 0.1, "train/loss": 1.25, "dev/accuracy": 80.0})
            mirror.finished(RECORD)
    assert len(rows(home / "runs/abc/csv/version_0")) == 3
    (path,) = (home / "runs/abc/tensorboard/version_0").glob("events.*")
    figures = {
        (event.step, value.tag): round(value.tensor.float_val[0] if value.tensor.float_val else value.simple_value, 4)
        for event in EventFileLoader(str(path)).Load()
        for value in event.summary.value
    }
    assert figures[1, "train/step_loss"] == 1.5
    assert (figures[2, "train/loss"], figures[2, "dev/accuracy"], figures[2, "final/dev/accuracy"]) == (1.25, 80, 80)
    assert (2, "final/test/accuracy") not in figures
    assert "lr: 0.5" in (path.parent / "hparams.yaml").read_text()


def test_without_tensorboard(settings_with, home, monkeypatch):
    def missing(*arguments, **options):
        raise ModuleNotFoundError("No module named 'tensorboard'")

    monkeypatch.setattr("pytorch_lightning.loggers.TensorBoardLogger", missing)
    with pytest.raises(SettingsError, match=r"type pip install 'attest\[tensorboard\]'"):
        mirror_record(settings_with("logger=tensorboard"), CARD, RECORD)
