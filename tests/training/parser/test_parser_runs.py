"""Parsers are trained like everything else: once, resumably, to a record."""

from pathlib import Path

import pytest
import torch
from training.interruptions import Interrupted, break_off_after, comparable

from attest.cli.commands.parsers import parser_run
from attest.config.parser_training import compose_parser
from attest.errors import DataError, FailedBeforeError, SettingsError, TrainingError
from attest.runs.store import Store
from attest.syntax.trees import from_unlabelled
from attest.training.parser import run as training
from attest.training.parser.batches import gather_trees
from attest.training.schedule import Schedule

QUICK = {"treebanks": "[sst]", "epochs": 1.5, "batch_words": 1500}


@pytest.fixture
def run_with(home, mini_data):
    def make(*overrides, **changes):
        own = [f"{key}={value}" for key, value in {**QUICK, **changes}.items()]
        return parser_run(compose_parser(["trainer.progress=false", f"paths.data={mini_data}", *overrides, *own]))

    return make


def test_a_parser_is_learnt_and_its_record_is_complete(run_with):
    settings = run_with(epochs=3, batch_words=500)
    record = training.run(settings)
    assert record.kind == "parser"
    assert record.metrics["test/sst/f1"] > 90
    assert record.metrics["test/sst/f1"] > record.metrics["test/sst/balanced/f1"] > 20
    assert record.metrics["test/f1"] == record.metrics["test/sst/f1"]
    assert record.settings["treebanks"] == ["sst"]
    assert record.data["splits"]["sst/test"]["trees"] == 500
    assert [entry["epoch"] for entry in record.curve] == [1, 2, 3]
    best = max(record.curve, key=lambda entry: entry["dev/f1"])
    assert record.selected == {"step": best["step"], "rule": "highest dev f1, the first of equals"}
    assert record.metrics["dev/f1"] == best["dev/f1"]
    assert record.cost.step_seconds > 0
    assert Store(Path(settings.paths.records)).get(record.id) == record


def test_the_best_weights_are_what_is_evaluated(run_with, monkeypatch):
    """The last step spoils the weights, so that those of the first epoch are the best."""
    plainly = Schedule.on_train_batch_end

    def spoiling_the_last(self, trainer, pl_module, *arguments):
        if trainer.global_step == trainer.max_steps:
            for parameter in pl_module.parameters():
                parameter.data.zero_()
        plainly(self, trainer, pl_module, *arguments)

    monkeypatch.setattr(Schedule, "on_train_batch_end", spoiling_the_last)
    record = training.run(run_with(epochs=2))
    first, last = record.curve
    assert first["dev/f1"] > last["dev/f1"]  # else this test cannot tell which weights were loaded
    assert record.selected["step"] == first["step"]
    assert record.metrics["dev/f1"] == first["dev/f1"]


def test_a_finished_parser_is_not_trained_again(run_with, monkeypatch):
    first = training.run(run_with())
    monkeypatch.setattr(training, "train", lambda *arguments: pytest.fail("trained again"))
    assert training.run(run_with()) == first
    with pytest.raises(pytest.fail.Exception):
        training.run(run_with(seed=2))


@pytest.mark.parametrize("broken_at", [1, 6, 9])
def test_an_interrupted_run_goes_on_and_ends_the_same(broken_at, run_with, tmp_path, monkeypatch):
    undisturbed = training.run(run_with(f"paths.home={tmp_path / 'whole'}"))
    steps = break_off_after(broken_at, monkeypatch)
    settings = run_with(f"paths.home={tmp_path / 'broken'}", "trainer.checkpoint_seconds=0")
    with pytest.raises(Interrupted):
        training.run(settings)
    assert comparable(training.run(settings)) == comparable(undisturbed)
    assert steps == list(range(1, steps[-1] + 1))  # no step was done twice, none was left out
    left = sorted(path.name for path in Path(settings.paths.runs, undisturbed.id).iterdir())
    assert left == [f"best-{undisturbed.selected['step']}.pt"]


def test_a_failure_is_recorded_and_not_repeated_unasked(run_with):
    with pytest.raises(TrainingError, match="no longer a finite number"):
        training.run(run_with(learning_rate=1e30))
    with pytest.raises(FailedBeforeError, match="retry_failed=true"):
        training.run(run_with(learning_rate=1e30))


def test_a_callback_that_fails_is_refused_before_training(run_with, home):
    callback = "trainer.callbacks=[{_target_: pytorch_lightning.callbacks.EarlyStopping, monitor: dev/f1}]"
    with pytest.raises(SettingsError, match=r"^trainer.callbacks\[0\]._target_: .*EarlyStopping reads metrics"):
        training.run(run_with(callback))
    assert not list((home / "results").rglob("*.json"))


def test_without_a_sentence_to_train_on_it_says_so(run_with):
    with pytest.raises(DataError, match="longest: no training sentence has 3 to 3 words; raise longest"):
        training.run(run_with(longest=3))


def test_batches_hold_rows_and_spans_of_their_trees():
    batch = gather_trees([from_unlabelled("( a ( quiet song ) )"), from_unlabelled("yes")], 512)
    assert batch.rows_BTF.shape == (2, 3, 6)
    assert batch.length_B.tolist() == [3, 1]
    assert batch.gold_BKK.nonzero().tolist() == [[0, 0, 3], [0, 1, 3]]


def test_every_long_enough_sentence_is_trained_on_once_in_an_epoch(run_with):
    settings = run_with(longest=9)
    treebanks = training.read_treebanks(settings.datasets, Path(settings.paths.data))
    batches = training.training_batches(settings, treebanks)
    seen = [place for step in range(batches.steps_per_epoch) for place in batches.examples(step)]
    assert sorted(seen) == list(range(len(batches.trees)))
    assert {len(tree.words) for tree in batches.trees} <= set(range(3, 10))
    first = next(iter(batches))
    assert first.length_B.sum() <= 1500
    assert first.gold_BKK.sum((1, 2)).equal(first.length_B - 1)
    torch.testing.assert_close(first.rows_BTF, next(iter(batches)).rows_BTF)
