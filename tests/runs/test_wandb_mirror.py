import os
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial

import pytest
import wandb
from runs.fake_wandb import FakeServer
from runs.made_records import made_record
from runs.wandb_cases import observe
from wandb.errors import CommError

from attest.errors import LeaseLostError, StorageError, TrainingError
from attest.runs.observers import StepFigures
from attest.runs.run_card import RunCard
from attest.runs.wandb import mirror as module
from attest.runs.wandb.mirror import mirror_run
from attest.training import run as training

OFFLINE_RUN = """
from attest.config.compose import compose_unchecked
from attest.runs.run_card import RunCard
from attest.runs.wandb.mirror import mirror_run
card = RunCard(id="x", name="n", group=None, job_type="train", tags=(), notes="", config={})
with mirror_run(compose_unchecked(["logger=wandb"]), card) as observer:
    observer.evaluated({"step": 1, "epoch": 1.0})
"""


class FakeRun:
    starting_step = 0

    def __init__(self) -> None:
        self.logged, self.summary, self.exit_code = [], {}, None

    def log(self, entry, step, commit=None):
        self.logged.append((step, entry))

    def finish(self, exit_code):
        self.exit_code = exit_code


@pytest.fixture
def started(monkeypatch):
    """What would have been started, instead of starting it."""
    starts = []

    def init(**arguments):
        starts.append((arguments, FakeRun()))
        return starts[-1][1]

    monkeypatch.setattr(module.wandb, "init", init)
    return starts


def card(**changes):
    return replace(
        RunCard(id="x", name="n", group=None, job_type="train", tags=("a=b",), notes="", config={}), **changes
    )


def test_id_config_curve_and_summary(settings_with, started):
    record = training.run(settings_with("protocol.steps=4", "protocol.evaluate_every=2"), observe)
    ((arguments, run),) = started
    assert (arguments["id"], arguments["resume"], arguments["mode"]) == (record.id, "allow", "offline")
    assert arguments["config"]["model"]["hidden_size"] == 24
    assert arguments["config"]["data"] == record.data, "what was read, and what the official files have"
    evaluations = [entry for _, entry in run.logged if "epoch" in entry]
    assert evaluations == list(record.curve)
    (first, point), *_ = run.logged
    assert first == 1
    assert point.keys() == {"train/step_loss", "train/lr", "train/grad_norm"}
    assert run.summary["test/accuracy"] == record.metrics["test/accuracy"]
    assert run.summary["best_step"] == record.selected["step"]
    assert run.summary["cost/step_seconds"] > 0
    assert run.exit_code == 0


def test_a_run_that_wandb_cannot_start_says_how_to_send_it_later(settings_with, monkeypatch, caplog):
    def init(**arguments):
        raise RuntimeError("no service")

    monkeypatch.setattr(module.wandb, "init", init)
    with mirror_run(settings_with(), card()) as observer:
        observer.step(1, partial(StepFigures, 1.0, 0.5, 2.0, 64.0, 0.05))
    assert "W&B does not show this run; after its end, type attest wandb push x to send it" in caplog.text


def test_what_the_settings_of_the_logger_choose(settings_with, started):
    own = ["logger.group=g", "logger.job_type=j", "logger.tags=[t,'a=b']", "logger.notes=why", "logger.entity=team"]
    with mirror_run(settings_with("logger=wandb", *own), card()):
        pass
    ((arguments, _),) = started
    chosen = {key: arguments[key] for key in ("group", "job_type", "tags", "notes", "entity")}
    assert chosen == {"group": "g", "job_type": "j", "tags": ("a=b", "t"), "notes": "why", "entity": "team"}


def test_no_more_than_a_point_a_second(settings_with, started, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("attest.runs.step_points.time.monotonic", lambda: now[0])
    with mirror_run(settings_with(), card()) as observer:
        for step in range(1, 31):
            now[0] = step / 10
            observer.step(step, partial(StepFigures, 1.0, 0.5, 2.0, 64.0 * step, 0.05 * step))
    run = started[0][1]
    assert [step for step, _ in run.logged] == [1, 11, 21]
    assert run.logged[1][1]["train/examples_per_second"] == pytest.approx(64 / 0.05)


def test_figures_of_hidden_splits_are_not_shown(settings_with, started):
    with mirror_run(settings_with(), card(), hidden=("test",)) as observer:
        observer.finished(made_record(metrics={"test/accuracy": 1.0, "dev/accuracy": 2.0}))
    summary = started[0][1].summary
    assert summary["dev/accuracy"] == 2.0
    assert not [key for key in summary if key.startswith("test")]


def test_a_failed_run_is_finished_too(settings_with, started):
    with pytest.raises(TrainingError):
        training.run(settings_with("protocol.steps=100", "optimizer.lr=1e30", "model=s2t"), observe)
    run = started[0][1]
    assert run.exit_code == 1
    assert run.summary["status"] == "failed"
    assert run.summary["error"].startswith("the loss is no longer a finite number")


def test_a_run_that_is_finished_at_last_has_no_error(settings_with, started):
    record = training.run(settings_with("protocol.steps=1"), observe)
    assert record.status == "done"
    assert started[0][1].summary["error"] is None


@pytest.mark.parametrize("end", [KeyboardInterrupt, StorageError("the disk is full"), LeaseLostError("taken over")])
def test_a_run_that_goes_on_later_has_no_error(end, settings_with, started):
    with pytest.raises(type(end) if isinstance(end, BaseException) else end), mirror_run(settings_with(), card()):
        raise end
    assert (started[0][1].exit_code, started[0][1].summary) == (1, {})


def test_nothing_of_an_offline_run_leaves_the_machine(tmp_path):
    """Attest keeps W&B's client from sending measurements of its own when its process ends."""
    with FakeServer() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        environment = {**os.environ, "WANDB_BASE_URL": server.url, "ATTEST_HOME": str(tmp_path)}
        environment.pop("WANDB_ERROR_REPORTING", None)
        subprocess.run([sys.executable, "-c", OFFLINE_RUN], env=environment, check=True, timeout=100)
        server.shutdown()
    assert list(tmp_path.rglob("offline-run-*-x"))
    assert server.bodies == []


def test_no_key_reaches_the_config(settings_with, started, monkeypatch):
    monkeypatch.setenv("WANDB_API_KEY", "planted-secret")
    training.run(settings_with("protocol.steps=1"), observe)
    arguments, _ = started[0]
    assert arguments["mode"] == "online"
    assert "planted-secret" not in str(arguments)


def test_settings_of_w_and_b_that_are_wrong_stop_no_run(settings_with, started, monkeypatch, caplog):
    monkeypatch.setenv("WANDB_CONSOLE", "foo")
    wandb.teardown()
    with mirror_run(settings_with("logger=wandb"), card()) as observer:
        observer.evaluated({"step": 1, "epoch": 1.0})
    assert "W&B's setting console is not valid" in caplog.text
    assert started[0][0]["mode"] == "offline"


@pytest.mark.parametrize("broken", ["init", "log", "summary", "finish"])
def test_what_fails_here_never_fails_the_run(settings_with, monkeypatch, caplog, broken):
    class Broken(FakeRun):
        def log(self, entry, step, commit=None):
            if broken == "log":
                raise wandb.Error("no network")

        @property
        def summary(self):
            raise wandb.Error("no network")

        @summary.setter
        def summary(self, value): ...

        def finish(self, exit_code):
            if broken == "finish":
                raise wandb.Error("no network")

    modes = []

    def init(*, mode, **arguments):
        modes.append(mode)
        if broken == "init":
            raise CommError("no network")
        return Broken()

    monkeypatch.setattr(module.wandb, "init", init)
    monkeypatch.setenv("WANDB_API_KEY", "x" * 40)
    settings = settings_with("protocol.steps=2")
    record = training.run(settings, observe)
    assert record.status == "done"
    assert training.run(settings, observe) == record, "and so it stays"
    assert modes == (["online", "offline"] if broken == "init" else ["online"])
    assert "no network; the run and its record are not affected" in caplog.text
