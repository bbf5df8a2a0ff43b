import pytest
import wandb

from attest.config.settings import Logger
from attest.errors import TrainingError
from attest.runs import wandb_mirror as module
from attest.runs.records import Record
from attest.runs.wandb_mirror import has_api_key, mirror_run, wandb_mode
from attest.training import run as training


class FakeRun:
    def __init__(self) -> None:
        self.logged, self.summary, self.exit_code = [], {}, None

    def log(self, entry, step):
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


def observe(settings, identity, steps):
    from contextlib import contextmanager

    @contextmanager
    def opened():
        with mirror_run(settings, identity) as observer:
            yield (observer,)

    return opened()


def test_group_name_id_config_and_summary(settings_with, started):
    settings = settings_with(
        "protocol.steps=4", "protocol.evaluate_every=2", "label.table=disan/table1", "label.row=disan"
    )
    record = training.run(settings, observe)
    ((arguments, run),) = started
    assert (arguments["group"], arguments["name"], arguments["id"]) == ("disan/table1", "disan seed=1", record.id)
    assert arguments["mode"] == "offline"
    assert arguments["config"]["model.hidden_size"] == 24
    assert [step for step, _ in run.logged] == [2, 4]
    assert run.summary["test/accuracy"] == record.metrics["test/accuracy"]
    assert run.exit_code == 0


def test_figures_of_hidden_splits_are_not_shown(settings_with, started):
    with mirror_run(settings_with(), "x", hidden=("test",)) as observer:
        observer.finished(Record(id="x", status="done", settings={}, versions={}, seed=1, data={"fingerprint": "f"},
                                metrics={"test/accuracy": 1.0, "dev/accuracy": 2.0}))  # fmt: skip
    summary = started[0][1].summary
    assert summary["dev/accuracy"] == 2.0
    assert not [key for key in summary if key.startswith("test")]


def test_a_failed_run_is_finished_too(settings_with, started):
    with pytest.raises(TrainingError):
        training.run(settings_with("protocol.steps=100", "optimizer.lr=1e30", "model=s2t"), observe)
    assert started[0][1].exit_code == 1


def test_no_key_reaches_the_config(settings_with, started, monkeypatch):
    monkeypatch.setenv("WANDB_API_KEY", "planted-secret")
    training.run(settings_with("protocol.steps=1"), observe)
    arguments, _ = started[0]
    assert arguments["mode"] == "online"
    assert "planted-secret" not in str(arguments)


def test_where_a_key_is_looked_for(tmp_path, monkeypatch):
    assert not has_api_key()
    (tmp_path / "netrc").write_text("machine api.wandb.ai login user password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    assert has_api_key()
    (tmp_path / "netrc").write_text("machine elsewhere.org login user password secret\n")
    assert not has_api_key()


def test_the_real_thing_offline(settings_with, home):
    settings = settings_with("protocol.steps=2")
    record = training.run(settings, observe)
    files = [path.name for path in (home / "runs/wandb").rglob("*.wandb")]
    assert files == [f"run-{record.id}.wandb"]
    assert wandb.run is None


@pytest.mark.parametrize("broken", ["init", "log", "summary", "finish"])
def test_what_fails_here_never_fails_the_run(settings_with, monkeypatch, caplog, broken):
    class Broken(FakeRun):
        def log(self, entry, step):
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
            raise wandb.errors.CommError("no network")
        return Broken()

    monkeypatch.setattr(module.wandb, "init", init)
    monkeypatch.setenv("WANDB_API_KEY", "x" * 40)
    settings = settings_with("protocol.steps=2")
    record = training.run(settings, observe)
    assert record.status == "done"
    assert training.run(settings, observe) == record, "and so it stays"
    assert modes == (["online", "offline"] if broken == "init" else ["online"])
    assert "no network; nothing else is touched by it" in caplog.text


def test_the_environment_decides_what_the_settings_leave_open(monkeypatch):
    monkeypatch.setenv("WANDB_API_KEY", "x" * 40)
    assert wandb_mode(Logger()) == "online"
    monkeypatch.setenv("WANDB_MODE", "disabled")
    assert wandb_mode(Logger()) == "disabled"
    assert wandb_mode(Logger(online=False)) == "offline"
