"""attest train, as a user types it: one run, a sweep, and a parallel sweep."""

import copy
import json

import pytest
from commands import run as attest
from homes import records_of
from hydra._internal.hydra import Hydra

from attest.runs.finished_run import FinishedRun

pytestmark = pytest.mark.usefixtures("home_with_corpora")
QUICK = ("protocol.steps=4", "protocol.evaluate_every=2")


def test_train_writes_one_record_from_any_folder(home, tmp_path):
    done = attest("train", "model=s2t", "seed=0", *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (record,) = records_of(home)
    assert (record.seed, record.settings["model._target_"]) == (0, "attest.models.SourceToToken")
    assert "step 2/4" in done.stderr
    assert record.id in done.stderr
    assert not list(tmp_path.iterdir())
    assert not [path.name for path in home.iterdir() if path.name not in ("cache", "runs", "results", "wandb")]


def test_records_are_json_without_surprises(home, cli):
    cli.output("train", "model=s2t", "logger=none", *QUICK)
    text = (home / f"results/mini/records/{records_of(home)[0].id}.json").read_text()
    assert json.loads(text)["status"] == "done"
    assert text.endswith("}\n")


def test_wandb_offline_files_are_left_behind(home):
    done = attest("train", "model=s2t", "trainer.on_train=false", *QUICK)
    assert done.returncode == 0, done.stderr
    assert "accuracy dev" in done.stderr
    (record,) = records_of(home)
    assert [path.name for path in home.rglob("*.wandb")] == [f"run-{record.id}.wandb"]


def test_a_logger_asked_of_a_finished_run_is_not_passed_over(home, cli):
    arguments = ("train", "model=s2t", *QUICK)
    assert "finished earlier" not in cli.run(*arguments, "logger=none").stderr
    assert "finished earlier, so nothing is logged now; `attest wandb push" in cli.run(*arguments, "logger=csv").stderr
    assert "finished earlier" not in cli.run(*arguments).stderr


def test_a_sweep_in_hydras_own_words(home, cli):
    arguments = ("model=s2t", "logger=none", "trainer.progress=false", *QUICK)
    cli.output("train", "-m", "+hydra.sweeper.params.seed='1,2'", *arguments)
    assert sorted(record.seed for record in records_of(home)) == [1, 2]


def test_a_sweep_and_a_parallel_sweep_give_the_same(cli, home, mini_data, tmp_path):
    arguments = ("train", "-m", "model=s2t,additive", "seed=1,2", "logger=none", f"paths.data={mini_data}", *QUICK)
    serial = cli.run(*arguments)
    assert serial.returncode == 0, serial.stderr
    parallel = attest(*arguments, "hydra/launcher=joblib", "hydra.launcher.n_jobs=2", ATTEST_HOME=str(tmp_path))
    assert parallel.returncode == 0, parallel.stderr
    for printed in (serial.stderr, parallel.stderr):
        assert "SourceToToken model=s2t seed=2: accuracy train" in printed
    for printed, folder in ((serial.stdout, home), (parallel.stdout, tmp_path)):
        (table,) = (folder / "results/mini/sweeps").glob("*/table.md")
        assert "| s2t | 2 | " in printed
        assert "| s2t | 2 | " in table.read_text()
    ours, theirs = records_of(home), records_of(tmp_path)
    assert len(ours) == 4
    assert [r.id for r in ours] == [r.id for r in theirs]
    for one, other in zip(ours, theirs, strict=True):
        assert one.metrics == pytest.approx(other.metrics, rel=1e-4)  # one thread each instead of two


def test_sweepers_of_hydra_get_the_dev_figure_of_each_run(home, cli, monkeypatch):
    """As those that optimise need it, such as Optuna's, also in a copy, as processes send it."""
    got, multirun = [], Hydra.multirun
    monkeypatch.setattr(Hydra, "multirun", lambda *words, **options: got.extend(multirun(*words, **options)))
    cli.output("train", "-m", "hydra/sweeper=basic", "model=s2t", "seed=1,2", "logger=none", *QUICK)
    dev = {record.id: record.metrics["dev/accuracy"] for record in records_of(home)}
    values = [copy.copy(job.return_value) for batch in got for job in batch]
    assert {value.run_id: value for value in values} == dev
    assert FinishedRun(None, "ab") != FinishedRun(None, "ab"), "not a number: no optimum"
