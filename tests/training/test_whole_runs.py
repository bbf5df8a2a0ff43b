"""Whole runs: traces, determinism, going on after an interruption, and when the test set is read."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from golden_files import golden_text
from training.interruptions import Interrupted, break_off_after, comparable

from attest.data.prepare import prepare
from attest.errors import TrainingError
from attest.runs.store import Store
from attest.training import run
from attest.training.outputs import outputs_of_split
from attest.training.schedule import Schedule

GOLDEN = Path(__file__).parent / "golden"
ROWS = {
    "additive": ["model=additive"],
    "s2t": ["model=s2t"],
    "multi_head": ["model=multi_head"],
    "bilstm": ["model=bilstm"],
    "no_directions": ["model=disan", "mask=diagonal"],
    "disan": ["model=disan"],
    "fast_disan": ["model=fast_disan"],
    "disan_dense_rows": ["model=disan", "optimizer.rows=dense"],
    "disan_by_length": ["model=disan", "protocol.batches=by_length"],
}


PLAIN = ["trainer.attention=reference"]
WITHOUT_OTHER_KERNELS = ("additive", "s2t", "disan_by_length")
"""Rows whose kernels are those of another row, so that their golden traces are computed by the fast path alone."""


@pytest.mark.parametrize(
    ("row", "more"),
    [*((row, []) for row in ROWS), *((row, PLAIN) for row in ROWS if row not in WITHOUT_OTHER_KERNELS)],
    ids=lambda x: ("plain" if x else "fast") if isinstance(x, list) else x,
)
def test_the_first_ten_losses_are_those_of_old(row, more, settings_with, monkeypatch):
    """Golden traces. If a change of behaviour is meant, raise the version of the model (or text, or protocol) and
    write the traces anew: delete tests/training/golden/ and run this test twice."""
    losses = []
    plainly = Schedule.on_train_batch_end

    def noting(self, trainer, pl_module, outputs, batch, batch_idx):
        losses.append(float(outputs["loss"]))
        plainly(self, trainer, pl_module, outputs, batch, batch_idx)

    monkeypatch.setattr(Schedule, "on_train_batch_end", noting)
    run.run(settings_with("protocol.steps=10", *ROWS[row], *more))
    golden = golden_text(GOLDEN / f"{row}.txt", lambda: "".join(f"{loss:.8f}\n" for loss in losses))
    np.testing.assert_allclose(losses, [float(line) for line in golden.split()], rtol=1e-4)


def test_the_same_run_twice_is_the_same(settings_with, tmp_path):
    budget = ("protocol.steps=30", "protocol.evaluate_every=10")
    records = [run.run(settings_with(*budget, f"paths.home={tmp_path / name}")) for name in ("a", "b")]
    assert comparable(records[0]) == comparable(records[1])
    stores = [Store(tmp_path / name / "results/mini/records") for name in ("a", "b")]
    predictions = [store.arrays(records[0].id)["predictions"] for store in stores]
    np.testing.assert_array_equal(*predictions)


@pytest.mark.parametrize(("row", "broken_at"), [*(("disan", step) for step in (1, 10, 17, 30)), ("bilstm", 17)])
def test_an_interrupted_run_goes_on_and_ends_the_same(row, broken_at, settings_with, make_once, tmp_path, monkeypatch):
    budget = (
        "protocol.steps=30", "protocol.evaluate_every=10", "trainer.checkpoint_seconds=0", "trainer.on_train=false",
        *ROWS[row],
    )  # fmt: skip
    whole = settings_with(*budget, f"paths.home={tmp_path / 'whole'}")
    undisturbed = make_once(f"undisturbed_{row}", lambda: comparable(run.run(whole)))
    steps = break_off_after(broken_at, monkeypatch)
    settings = settings_with(*budget, f"paths.home={tmp_path / 'broken'}")
    with pytest.raises(Interrupted):
        run.run(settings)
    assert not list(Store(Path(settings.paths.records)))
    assert comparable(run.run(settings)) == undisturbed
    assert steps == list(range(1, 31))  # no step was done twice, none was left out
    left = sorted(path.name for path in Path(settings.paths.runs, undisturbed["id"]).iterdir())
    assert left == [f"best-{undisturbed['selected']['step']}.pt", "model.safetensors"]


def test_weights_that_the_last_checkpoint_names_outlive_better_ones(settings_with, tmp_path, monkeypatch):
    """Best weights come and go between two checkpoints; a kill then goes back to those of the older one."""
    budget = ("protocol.steps=30", "protocol.evaluate_every=2", "trainer.checkpoint_seconds=0", "model=s2t",
              "trainer.on_train=false")  # fmt: skip
    undisturbed = run.run(settings_with(*budget, f"paths.home={tmp_path / 'whole'}"))
    plainly = Schedule.save

    def seldom(self, trainer):
        if trainer.global_step in (6, 30):
            plainly(self, trainer)
        if trainer.global_step == 25:
            raise Interrupted

    monkeypatch.setattr(Schedule, "save", seldom)
    settings = settings_with(*budget, f"paths.home={tmp_path / 'broken'}")
    with pytest.raises(Interrupted):
        run.run(settings)
    assert len(list(Path(settings.paths.runs).rglob("best-*.pt"))) <= 2
    monkeypatch.setattr(Schedule, "save", plainly)
    assert comparable(run.run(settings)) == comparable(undisturbed)


def test_a_finished_run_is_not_repeated(settings_with, monkeypatch):
    settings = settings_with("protocol.steps=2")
    first = run.run(settings)
    monkeypatch.setattr(run, "train", lambda *arguments: pytest.fail("trained again"))
    assert run.run(settings) == first
    with pytest.raises(pytest.fail.Exception):
        run.run(settings_with("protocol.steps=2", "seed=2"))


@pytest.fixture
def read(monkeypatch):
    """Sizes of the splits that are run, in turn."""
    sizes = []

    def counting(module, split, batch_size, **more):
        sizes.append(len(split))
        return outputs_of_split(module, split, batch_size, **more)

    monkeypatch.setattr("attest.training.outputs.outputs_of_split", counting)
    return sizes


@pytest.mark.parametrize("observe", ["false", "true"])
def test_the_test_set_is_read_once_unless_the_protocol_observes_it(observe, settings_with, read):
    settings = settings_with("protocol.steps=6", "protocol.evaluate_every=2", f"protocol.observe_test={observe}")
    record, splits = run.run(settings), prepare(settings).splits
    again = record.selected["step"] < 6  # else the weights are those that were measured last
    assert read.count(len(splits["dev"])) == 3 + again
    assert read.count(len(splits["test"])) == (3 + again if observe == "true" else 1)
    assert all(("test/accuracy" in entry) is (observe == "true") for entry in record.curve)


@pytest.mark.parametrize("best", [2, 6])
def test_dev_is_run_again_where_the_best_weights_are_not_those_measured_last(best, settings_with, read, monkeypatch):
    monkeypatch.setattr(Schedule, "selected", lambda self, measure: {"step": best, "rule": "ours"})
    settings = settings_with("protocol.steps=6", "protocol.evaluate_every=2", "trainer.on_train=false")
    run.run(settings)
    assert len(read) == {2: 3 + 2, 6: 3 + 1}[best]


def test_the_best_dev_checkpoint_is_what_is_evaluated(settings_with):
    record = run.run(settings_with("protocol.steps=50", "protocol.evaluate_every=10", "model=s2t"))
    best = max(record.curve, key=lambda entry: entry["dev/accuracy"])
    assert [entry["step"] for entry in record.curve] == [10, 20, 30, 40, 50]
    assert best["step"] < 50  # else the last weights are the best, and this test cannot tell which were loaded
    assert record.selected["step"] == best["step"]
    assert record.metrics["dev/accuracy"] == best["dev/accuracy"]


def test_the_training_set_need_not_be_measured(settings_with):
    record = run.run(settings_with("protocol.steps=2", "trainer.on_train=false", "model=s2t"))
    assert {"dev/accuracy", "test/accuracy"} < set(record.metrics)
    assert not any(name.startswith("train/") for name in record.metrics)


def test_no_look_at_dev_before_its_time(settings_with):
    budget = ("protocol.steps=7", "protocol.evaluate_every=2", "protocol.evaluate_from=4", "model=s2t")
    assert [entry["step"] for entry in run.run(settings_with(*budget)).curve] == [4, 6, 7]


@pytest.mark.parametrize("experiment", ["disan/snli", "disan/sick"])
def test_a_metric_that_is_not_finite_is_an_error(experiment, settings_with):
    """The loss before the only step was finite; a record with NaN cannot be written, and no weights were the best."""
    diverging = ("protocol.steps=1", "optimizer=sgd", "optimizer.lr=1e38")
    with pytest.raises(TrainingError, match=r"^dev/\w+ is no longer a finite number at step 1; lower"):
        run.run(settings_with(f"experiment={experiment}", *diverging))


def test_a_finished_run_says_that_the_training_set_was_not_measured(settings_with, caplog):
    run.run(settings_with("protocol.steps=2", "model=s2t", "trainer.on_train=false"))
    with caplog.at_level("INFO"):
        record = run.run(settings_with("protocol.steps=2", "model=s2t"))
    said = f"{record.id}: finished earlier with trainer.on_train=false, so the training set was not measured"
    assert said in caplog.text


@pytest.mark.parametrize(("evaluate_every", "step"), [(200, 100), (50, 50)])
def test_a_loss_that_is_not_finite_is_an_error_at_the_next_check_or_evaluation(settings_with, evaluate_every, step):
    budget = ("protocol.steps=200", f"protocol.evaluate_every={evaluate_every}")
    with pytest.raises(TrainingError, match=f"^the loss is no longer a finite number at step {step};"):
        run.run(settings_with(*budget, "optimizer.lr=1e30", "model=s2t"))


def test_the_record_is_complete_and_holds_no_place_or_secret(settings_with, monkeypatch, home):
    monkeypatch.setenv("WANDB_API_KEY", "planted-secret")
    settings = settings_with("protocol.steps=3")
    record = run.run(settings)
    text = (Path(settings.paths.records) / f"{record.id}.json").read_text()
    assert "planted-secret" not in text
    assert str(home) not in text
    assert json.loads(text)["data"]["expected"]["splits"] == {"train": 549367, "dev": 9842, "test": 9824}
    assert record.cost is not None
    assert 0 < record.cost.step_seconds < record.cost.wall_seconds
    passes = 3 * 64 / record.data["splits"]["train"]["used"]
    assert record.cost.epoch_seconds == pytest.approx(record.cost.step_seconds / passes)
    assert record.cost.full_epoch_seconds > record.cost.epoch_seconds
    assert record.cost.peak_bytes > 50e6
    assert record.metrics["parameters"] == 15_411
    assert set(record.versions) == {"model", "head", "optimizer", "preparation", "protocol"}


def test_only_vectors_of_training_words_are_trained(settings_with):
    settings = settings_with("protocol.steps=20", "protocol.evaluate_every=20")
    corpus = prepare(settings)
    before = run.assemble_task(settings, corpus).words
    record = run.run(settings)
    weights = torch.load(Path(settings.paths.runs, record.id, "best-20.pt"), weights_only=True)
    assert weights["words.fixed"].equal(before.fixed)
    assert not weights["words.trained"].equal(before.trained)


@pytest.mark.parametrize("experiment", ["sst", "trec", "cr", "mpqa", "subj", "multinli", "sick"])
def test_every_experiment_trains_and_leaves_a_record(experiment, settings_with):
    settings = settings_with(f"experiment=disan/{experiment}", "protocol.steps=4", "protocol.evaluate_every=2")
    record = run.run(settings)
    measure = "pearson" if experiment == "sick" else "accuracy"
    assert all(np.isfinite(record.metrics[f"{split}/{measure}"]) for split in ("train", "dev", "test"))
    assert record.selected["rule"] == f"highest dev {measure}, the first of equals"
    kept = Store(Path(settings.paths.records)).arrays(record.id)
    assert len(kept["rows"]) == len(kept["predictions"]) > 0
    assert ("mismatched/accuracy" in record.metrics) == (experiment == "multinli")


def test_folds_are_different_runs_of_one_experiment(settings_with):
    budget = ("experiment=disan/cr", "protocol.steps=2", "protocol.evaluate_every=2")
    records = [run.run(settings_with(*budget, f"protocol.fold={fold}")) for fold in (0, 1)]
    assert records[0].id != records[1].id
    tested = [set(Store(Path(settings_with().paths.records)).arrays(r.id)["rows"].tolist()) for r in records]
    assert not tested[0] & tested[1]
