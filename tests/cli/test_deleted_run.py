"""A run whose files were deleted by hand, as docs/sweep.md says: commands do without it, and it can be repeated."""

import shutil

import pytest
from homes import records_of, store_of

from attest.errors import FailedBeforeError
from attest.training import run as training

BUDGET = ("protocol.steps=2", "protocol.evaluate_every=2", "trainer.keep_last=true")


def delete(home, identity):
    """Delete the record and the folder of a run."""
    paths = list((home / "results/mini/records").glob(f"{identity}.*"))
    for path in paths:
        path.unlink()
    shutil.rmtree(home / "runs" / identity, ignore_errors=True)
    return len(paths)


@pytest.mark.usefixtures("home_with_corpora")
def test_a_finished_run(cli, home, settings_with):
    settings = settings_with("model=disan", *BUDGET)
    run, other = training.run(settings), training.run(settings_with("model=s2t", *BUDGET))
    for words in (["attend", run.id, "a dog"], ["attend", run.id, "--figure", "disan/figure6"]):
        cli.output(*words)
    cli.output("transfer", run.id, "tasks=TREC", "jobs=1")
    assert delete(home, run.id) == 2
    for words in (
        ["runs"], ["runs", "status=done"], ["status"], ["figures", "disan/figure6", "scale=mini"],
        ["show", "disan/table1", "scale=mini"], ["show", other.id],
        *(["show", record.id] for record in records_of(home) if record.kind != "train"),
    ):  # fmt: skip
        done = cli.run(*words)
        assert (done.returncode, done.stderr) == (int(words[0] == "figures"), ""), words
        if words[0] == "runs":
            assert other.id in done.stdout
            assert f"| {run.id} " not in done.stdout
    assert f"{run.id}: no run has this id" in cli.error("show", run.id, code=1)
    repeated = training.run(settings)
    assert (repeated.id, repeated.metrics, repeated.curve) == (run.id, run.metrics, run.curve)
    assert repeated.finished >= run.finished
    cli.output("attend", run.id, "a dog")


def test_a_failed_run(home, settings_with, monkeypatch):
    settings = settings_with("model=s2t", *BUDGET)
    with monkeypatch.context() as context, pytest.raises(ValueError, match="broken"):
        context.setattr("attest.training.run.train_module", broken)
        training.run(settings)
    (failed,) = records_of(home)
    with pytest.raises(FailedBeforeError):
        training.run(settings)
    assert delete(home, failed.id) == 1
    assert training.run(settings).status == "done"
    assert store_of(home).get(failed.id) is not None


def broken(*arguments):
    """Fail as code of training may."""
    raise ValueError("broken")
