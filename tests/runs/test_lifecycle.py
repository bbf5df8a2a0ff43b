"""A run that fails leaves a record and harms nobody else; one that is stopped says how to go on."""

import os
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from commands import Command
from homes import records_of, store_of
from hydra.core.utils import JobReturn, JobStatus

from attest.errors import AttestError, FailedBeforeError, SettingsError, StorageError, TrainingError
from attest.system import checkout
from attest.system.signals import Stopped
from attest.training import assemble, run
from attest.training.lightning import LightningLearner
from attest.training.optim import Adadelta
from attest.training.schedule import Schedule
from attest.training.tasks.classification import Classification
from hydra_plugins.attest_sweepers._launching import report_failures

QUICK = (
    "logger=none", "trainer.progress=false", "trainer.on_train=false", "protocol.steps=4", "protocol.evaluate_every=2"
)  # fmt: skip


class Exploding(Adadelta):
    """An optimiser that fails at its third step, on models of one block."""

    def step(self, closure=None):
        self.steps = getattr(self, "steps", 0) + 1
        if self.steps == 3:
            raise RuntimeError("The size of tensor a (3) must match the size of tensor b (4)")
        return super().step(closure)


def test_an_exception_leaves_a_failed_record_with_its_trace(settings_with, home, monkeypatch):
    settings = settings_with(*QUICK)
    with monkeypatch.context() as patch:
        patch.setattr(assemble, "build_component", failing_build(assemble.build_component))
        with pytest.raises(RuntimeError, match="size of tensor a"):
            run.run(settings)
    (record,) = records_of(home)
    assert record.status == "failed"
    assert record.reason == "RuntimeError: The size of tensor a (3) must match the size of tensor b (4)"
    assert "in step" in record.error
    assert record.metrics == {}
    with pytest.raises(FailedBeforeError, match=r"failed on .*size of tensor a.*retry_failed=true"):
        run.run(settings)
    again = run.run(settings_with(*QUICK, "retry_failed=true"))
    assert (again.status, again.id) == ("done", record.id)
    assert [r.status for r in records_of(home)] == ["done"]
    assert run.run(settings) == again


def failing_build(build):
    def replaced(component, where, **given):
        if where == "optimizer":
            component = {**component, "_target_": f"{__name__}.Exploding"}
            given["trusted"] = [__name__]
        return build(component, where, **given)

    return replaced


def test_a_repetition_that_is_cut_off_leaves_no_record_beside_its_model(settings_with, home, monkeypatch):
    """The record of the earlier training stayed beside the model of the repetition."""
    monkeypatch.setattr(checkout, "checkout_state", lambda: {"commit": "0" * 40, "uncommitted_changes": True})
    settings = settings_with(*QUICK, "model=s2t", "retry_uncommitted=true")
    record = run.run(settings)

    @contextmanager
    def failing(owner, name, error):
        def fail(*_):
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(owner, name, fail)
            yield

    with failing(Classification, "predictions", ValueError("wrong code")), pytest.raises(ValueError, match="wrong"):
        run.run(settings)
    assert records_of(home) == [record], "a repetition that fails leaves the record"
    with failing(run, "write_model", StorageError("no space")), pytest.raises(StorageError):
        run.run(settings)
    assert records_of(home) == []
    with failing(Schedule, "on_train_batch_end", AssertionError("no step is left")):
        assert run.run(settings).metrics == record.metrics


def test_who_looks_on_and_goes_away_leaves_no_failed_record(settings_with, home):
    class Gone:
        def step(self, step, *_):
            raise BrokenPipeError

    @contextmanager
    def observe(settings, identity, steps):
        yield (Gone(),)

    settings = settings_with(*QUICK)
    with pytest.raises(BrokenPipeError):
        run.run(settings, observe)
    assert records_of(home) == []
    assert run.run(settings).status == "done"


def test_nan_loss_is_a_failure_too(settings_with, home):
    with pytest.raises(TrainingError, match="no longer a finite number"):
        run.run(settings_with("protocol.steps=100", "optimizer.lr=1e30", "model=s2t"))
    (record,) = records_of(home)
    assert record.reason.startswith("the loss is no longer a finite")


def line_with(text, process):
    """The next line of what a process says that holds `text`."""
    return next(line for line in process.stderr if text in line)


def test_the_other_rows_finish_and_one_table_lists_the_failures(home, mini_data):
    """s2t diverges at a step size that additive attention survives; both seeds of it, as the sweep tells at its end."""
    sweep = ("train", "-m", "model=additive", "optimizer.lr=5.0,1.0e30", "seed=1,2", *QUICK, f"paths.data={mini_data}")
    process = Command(*sweep)
    _, said = process.communicate()
    assert process.returncode == 1
    assert "2 of 4 runs failed" in said
    assert "\n  optimizer.lr=1e+30 seed=2  the loss is no longer a finite number" in said
    assert said.count("the loss is no longer a finite number at step 2;") == 2
    assert "Traceback" not in said
    assert sorted(r.status for r in records_of(home)) == ["done", "done", "failed", "failed"]
    process = Command(*sweep)
    _, said = process.communicate()
    assert process.returncode == 1
    assert said.count("; correct the cause, then repeat the command with retry_failed=true") == 2


def returned(status, value):
    return JobReturn(status=status, _return_value=value)


def test_settings_that_some_runs_refuse_do_not_hide_how_the_others_ended():
    wrong, broken = SettingsError("model.directions: BiLSTM has no such setting"), TrainingError("no finite number")
    failed = {"a": returned(JobStatus.FAILED, wrong), "b": returned(JobStatus.FAILED, broken)}
    with pytest.raises(AttestError, match=r"2 of 3 runs failed:\n  a  model.directions: .*\n  b  no finite number"):
        report_failures({**failed, "c": returned(JobStatus.COMPLETED, "id")})
    with pytest.raises(SettingsError, match="^model.directions"):
        report_failures({name: returned(JobStatus.FAILED, wrong) for name in "ab"})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_saves_stops_and_says_how_to_go_on(number, home, mini_data):
    arguments = (
        "train",
        "model=s2t",
        "logger=none",
        "protocol.steps=300",
        "protocol.evaluate_every=50",
        f"paths.data={mini_data}",
    )
    with Command(*arguments) as process:
        assert "step 50/300" in line_with("  step ", process)
        process.send_signal(number)
        said = process.stderr.read()
    assert process.returncode == 128 + number
    assert "stopped after step" in said
    assert "the same command continues from there" in said
    assert "Traceback" not in said
    assert records_of(home) == []
    assert len(list(home.rglob("last.ckpt"))) == 1
    assert not list(home.rglob("lease.json"))
    process = Command(*arguments)
    _, said = process.communicate()
    assert process.returncode == 0
    assert "step 50/300" not in said
    assert "step 300/300" in said
    assert [r.status for r in records_of(home)] == ["done"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_asks_just_after_a_step_is_heard_at_the_next(number, settings_with, home, monkeypatch):
    """Lightning would end the process between the two, with exit code 0 and what the step did lost."""

    def ask(self, *_):
        if self.global_step == 2:
            os.kill(os.getpid(), number)

    monkeypatch.setattr(LightningLearner, "on_train_batch_end", ask)
    settings = settings_with(*QUICK)
    with pytest.raises(Stopped, match="stopped after step 3 of 4"):
        run.run(settings)
    assert records_of(home) == []
    assert run.run(settings).status == "done"


@pytest.mark.parametrize("sweep", [(), ("-m",)], ids=["run", "sweep"])
def test_a_second_ctrl_c_ends_the_command_like_the_first(sweep, home, mini_data, monkeypatch, cli):
    """Lightning would end the process with exit code 1 and without a word."""

    def ask_twice(self, *_):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(LightningLearner, "on_train_batch_end", ask_twice)
    done = cli.run("train", *sweep, "model=s2t", *QUICK, f"paths.data={mini_data}")
    assert done.returncode == 130
    assert done.stderr.endswith("attest: stopped; the same command continues from there\n")
    assert records_of(home) == []
    assert not list(home.rglob("lease.json"))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_ends_a_sweep_and_not_just_one_run(home, mini_data):
    process = Command("train", "-m", "model=s2t", "seed=1,2,3", "logger=none", "protocol.steps=400",
                     "protocol.evaluate_every=100", f"paths.data={mini_data}")  # fmt: skip
    with process:
        line_with("  step ", process)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 130
    assert "continues from there" in said
    assert records_of(home) == []


def test_an_unreadable_checkpoint_is_named(settings_with, home):
    settings = settings_with(*QUICK)
    record = run.run(settings)
    store_of(home).record_path(record.id).unlink()
    checkpoint = Path(settings.paths.runs) / record.id / "last.ckpt"
    checkpoint.write_bytes(b"no checkpoint")
    with pytest.raises(
        StorageError, match=r"last.ckpt: not a readable checkpoint .*delete it; the run then starts from its first step"
    ):
        run.run(settings)
    assert records_of(home) == []
    checkpoint.unlink()
    assert run.run(settings).metrics == record.metrics


@pytest.mark.parametrize("damage", ["other names", "other sizes", "no optimiser"])
def test_a_checkpoint_of_another_model_is_named_and_leaves_no_record(damage, settings_with, home):
    settings = settings_with(*QUICK, "trainer.keep_last=true")
    record = run.run(settings)
    store_of(home).record_path(record.id).unlink()
    checkpoint = Path(settings.paths.runs) / record.id / "last.ckpt"
    intact = checkpoint.read_bytes()
    saved = torch.load(checkpoint, weights_only=True)
    if damage == "other names":
        saved["state_dict"] = {f"old.{name}": weights for name, weights in saved["state_dict"].items()}
    elif damage == "other sizes":
        saved["state_dict"] = {name: weights.new_zeros(7) for name, weights in saved["state_dict"].items()}
    else:
        del saved["optimizer_states"]
    torch.save(saved, checkpoint)
    with pytest.raises(StorageError, match=r"last.ckpt: not a readable checkpoint of this model .*delete it; the"):
        run.run(settings)
    assert records_of(home) == []
    checkpoint.write_bytes(intact)
    assert run.run(settings).metrics == record.metrics
