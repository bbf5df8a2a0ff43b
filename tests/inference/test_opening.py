"""The run that an id names is opened, or it is said why not: no record, no weights, other data, other code."""

import dataclasses
import shutil
from pathlib import Path

import pytest
import torch
from homes import store_of
from inference.fixtures import QUICK

from attest.config.paths import tracked_results
from attest.errors import DataError, RecordError, StorageError
from attest.inference.opening import open_run
from attest.runs.known_stores import all_stores
from attest.runs.notes.command import CommandNote, write_command
from attest.runs.store import Store, find_record
from attest.runs.trained_model import model_file, read_model, write_model
from attest.training import run as training


def test_a_run_is_found_here_and_among_the_tracked_ones(opened, home):
    run = opened("model=s2t")
    own, tracked = (Store(folder / "records") for folder in (home / "results/mini", tracked_results()))
    tracked.folder.mkdir(parents=True)
    own.record_path(run.record.id).rename(tracked.record_path(run.record.id))
    assert find_record(run.record.id[:5], all_stores()) == run.record


def test_runs_that_are_not_there_or_not_one(opened, home):
    first, second = opened("model=s2t").record, opened("model=additive").record
    own = store_of(home)
    twin = dataclasses.replace(first, id=first.id[:6] + "zzzzzz")
    own.put(twin)
    with pytest.raises(RecordError, match=f"{first.id[:6]}: 2 ids begin with this .*{first.id}.*zzzzzz"):
        open_run(first.id[:6])
    own.put(dataclasses.replace(twin, kind="attention"))  # which is no run
    own.put(dataclasses.replace(second, status="failed", error="...", reason="ValueError: broken"))
    assert find_record(first.id[:6], [own]) == first
    with pytest.raises(RecordError, match=r"xyz\*: no run has this id; type an id that `attest runs` lists"):
        open_run("xyz*")
    with pytest.raises(StorageError, match="model.safetensors: there is no such file; name the folder of a finished"):
        open_run(str(home))
    with pytest.raises(RecordError, match="this run failed .ValueError: broken. and has no weights; train it again"):
        open_run(second.id)


def test_an_interrupted_run_is_named_as_one_by_its_id_and_by_its_folder(home):
    folder = home / "runs/7ebf43512895"
    write_command(folder, CommandNote(name="DiSAN seed=1", command="attest train seed=1"))
    for name in ("7ebf", str(folder)):
        with pytest.raises(RecordError, match="^7ebf43512895: this run has not ended, so it has no record"):
            open_run(name)
    with pytest.raises(RecordError, match="^7ec: no run has this id"):
        open_run("7ec")


def test_a_record_without_an_encoder_is_named_with_what_it_is(opened, home):
    run, own = opened("model=s2t").record, store_of(home)
    own.put(dataclasses.replace(run, id="be4b1ef21625", kind="transfer", parents=()))
    with pytest.raises(RecordError, match=r"^be4b1ef21625: this is an evaluation on SentEval's tasks, not a run wi"):
        open_run("be4b")
    own.put(dataclasses.replace(run, id="be4b1ef21625", kind="attention", parents=(run.id,)))
    with pytest.raises(RecordError, match=rf"attention maps, not a run with an encoder; its run is {run.id}$"):
        open_run("be4b")
    own.put(dataclasses.replace(run, id="be4b22222222", kind="bench"))
    with pytest.raises(RecordError, match=r"be4b: no run has this id; type an id that `attest runs` lists"):
        open_run("be4b")


def test_a_missing_model_is_made_again_by_training_again(opened, settings_with):
    run = opened("model=s2t", "label.table=disan/table1", "label.row=s2t")
    folder = Path(run.settings.paths.runs) / run.record.id
    for weights in folder.iterdir():
        weights.unlink()
    own, tracked = Store(Path(run.settings.paths.records)), Store(tracked_results() / "records")
    command = f"to train it again, type the `attest train` command that `attest show {run.record.id}` prints"
    with pytest.raises(RecordError, match=f"its model is missing .*; {command}, after deleting .*json$"):
        open_run(run.record.id)
    tracked.put(run.record)
    own.record_path(run.record.id).unlink()
    with pytest.raises(RecordError, match=f"its model is missing .*; {command}; tracked records have no weights$"):
        open_run(run.record.id)
    assert training.run(settings_with(*QUICK, "model=s2t")).id == run.record.id
    assert list(folder.glob("best-*.pt"))


@pytest.mark.parametrize("damage", ["truncated", "empty", "of another model"])
def test_a_damaged_model_is_named_with_what_to_type(damage, opened):
    run = opened("model=s2t")
    weights = model_file(Path(run.settings.paths.runs, run.record.id))
    if damage != "of another model":
        weights.write_bytes(weights.read_bytes()[: 1000 * (damage == "truncated")])
    else:
        write_model(weights, dataclasses.replace(read_model(weights), weights={"weight": torch.zeros(2)}))
    with pytest.raises(RecordError, match=rf"{weights}: damaged( or cut|, or no ).*; delete it; to train it again, .*"):
        open_run(run.record.id, [f"paths.data={run.settings.paths.data}"])


def test_other_data_is_refused(opened, richer_data):
    run = opened("model=s2t")
    with pytest.raises(DataError, match=r"trained with another file glove.* 'quixotic', a new word, .*paths.data=FOLD"):
        open_run(run.record.id, [f"paths.data={richer_data}"]).tokens(["quixotic"])


def test_files_of_the_data_of_the_run_may_be_named(settings_with, mini_data, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(mini_data, folder)
    (folder / "yelp/train.csv").rename(folder / "yelp/ours.csv")
    elsewhere = [f"paths.data={folder}", "dataset.files.all=yelp/ours.csv"]
    run = open_run(training.run(settings_with(*QUICK, "experiment=ssa/yelp", *elsewhere)).id, elsewhere)
    assert run.settings.dataset.files["all"] == "yelp/ours.csv"


def test_weights_of_older_code_are_refused(opened, monkeypatch):
    run = opened("model=s2t")
    cls = type(run.task.encoder)
    monkeypatch.setattr(cls, "version", cls.version + 1)
    with pytest.raises(RecordError, match=r"trained with version 1 of its model, but the installed version 2 "):
        open_run(run.record.id)
