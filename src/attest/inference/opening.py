"""Opening of finished runs by their ids or folders.

Legend: V words, E features of a word vector.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np

from attest.config.compose import recompose
from attest.config.settings import Settings
from attest.data.corpus import Corpus
from attest.errors import RecordError, SettingsError, StorageError
from attest.inference.arguments import check_strings
from attest.inference.run_lookup import find_run
from attest.inference.sentence_input import NewWords
from attest.inference.trained_run import TrainedRun
from attest.runs.identity import code_versions
from attest.runs.records import Record
from attest.runs.store import Store
from attest.runs.trained_model import TrainedModel, model_file, read_model
from attest.runs.unlaunched_runs import check_ended
from attest.system.weights import set_weights
from attest.training.assemble import assemble_task

COMPARED_VERSIONS = ("model", "head", "preparation")
"""The versions of code that determine what the weights of a finished run compute."""


def open_run(
    name: str | PathLike[str], overrides: Iterable[str] = (), *, new_words: NewWords = "required"
) -> TrainedRun:
    """Return a finished run by its id or the beginning of it, or by its folder or the file of its model.

    `overrides` may only change settings that ids do not hash, such as paths.data. `new_words` is the treatment of words
    that the run has not met. Raise RecordError if no id or more than one id begins with `name`, StorageError if the
    folder holds no model, and SettingsError if `name` is neither a text nor a path.
    """
    if not isinstance(name, str | PathLike) or not str(name):
        raise SettingsError(f"run: expected the id or the folder of a finished run, got {name!r}")
    overrides = check_strings(overrides, "overrides")
    is_place = not isinstance(name, str) or len(Path(name).parts) > 1 or Path(name).suffix or os.path.isdir(name)
    run = open_model(Path(name), overrides) if is_place else open_record(find_run(str(name), overrides), overrides)
    return replace(run, new_words=new_words)


def open_record(record: Record, overrides: Sequence[str] = ()) -> TrainedRun:
    """Return the run of a record with its best weights.

    Raise RecordError if the run failed, was trained by another version of the code or has no model here.
    """
    if record.status != "done":
        raise RecordError(
            f"{record.id}: this run failed ({record.reason}) and has no weights; train it again with retry_failed=true"
        )
    settings = recompose(record.settings, overrides)
    check_versions(record, settings)
    path = model_file(Path(settings.paths.runs) / record.id)
    if not path.is_file():
        raise RecordError(f"{record.id}: its model is missing ({path}); {retraining_hint(record, settings)}")
    try:
        return run_of_model(record, settings, path, read_model(path))
    except StorageError as error:
        raise RecordError(f"{record.id}: {error}; {retraining_hint(record, settings)}") from error


def open_model(place: Path, overrides: Sequence[str] = ()) -> TrainedRun:
    """Return the run whose model is in a folder or a file, which needs no record elsewhere.

    `overrides` may only change settings that ids do not hash, such as paths.data. Raise StorageError if there is no
    model or if it is damaged, and RecordError if the run has not ended or another version of the code wrote it.
    """
    path = model_file(place) if place.is_dir() else place
    if not path.is_file():
        check_ended(place.name, place.parent)
        raise StorageError(f"{path}: there is no such file; name the folder of a finished run, or its id")
    model = read_model(path)
    settings = recompose(model.record.settings, overrides)
    check_versions(model.record, settings)
    return run_of_model(model.record, settings, path, model)


def run_of_model(record: Record, settings: Settings, path: Path, model: TrainedModel) -> TrainedRun:
    """Return the run whose model was read from the file `path`; raise StorageError if it is that of another run."""
    if model.record.id != record.id:
        raise StorageError(f"{path}: holds the model of run {model.record.id}; delete it")
    settings = with_recorded_parser(record, settings)
    table_VE = np.zeros((len(model.words), settings.vectors.size), np.float32)  # the weights hold the vectors
    task = assemble_task(settings, Corpus({}, model.words, model.training_words, table_VE, (), {}))
    set_weights(task, model.weights, path)
    return TrainedRun(record, settings, model.words, model.sides, task.eval(), stored_parser=model.parser)


def with_recorded_parser(record: Record, settings: Settings) -> Settings:
    """Return the settings with the parser that the record names, even if another one is the default by now."""
    runs = record.data.get("parser", {}).get("runs")
    return replace(settings, phrases=replace(settings.phrases, parser_run=runs[0])) if runs else settings


def check_versions(record: Record, settings: Settings) -> None:
    """Raise RecordError if the installed code computes something else with the weights than the code of training."""
    current = code_versions(settings)
    for name in COMPARED_VERSIONS:
        if record.versions.get(name) != current[name]:
            raise RecordError(
                f"{record.id}: this run was trained with version {record.versions.get(name)} of its {name}, but the "
                f"installed version {current[name]} computes other results; train the run again"
            )


def retraining_hint(record: Record, settings: Settings) -> str:
    """Return what to type to train a run again whose model was deleted or is on another machine."""
    if record.kind == "import":
        return "to restore it, repeat `attest import` with the file of its weights"
    path = Store(Path(settings.paths.records)).record_path(record.id)
    end = f", after deleting {path}" if path.is_file() else "; tracked records have no weights"
    return f"to train it again, type the `attest train` command that `attest show {record.id}` prints{end}"
