"""Opening of finished runs by their ids.

Legend: V words, E features of a word vector.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np

from attest.config.compose import recompose
from attest.config.settings import Settings
from attest.data.corpus import Corpus
from attest.data.mini.provide import provide_data
from attest.data.prepare import prepare
from attest.data.splitting import arrange_splits
from attest.errors import DataError, RecordError, SettingsError, StorageError
from attest.inference.arguments import check_override_list
from attest.inference.run_lookup import find_run
from attest.inference.trained_run import TrainedRun
from attest.runs.best_weights import weights_file
from attest.runs.identity import code_versions
from attest.runs.records import Record
from attest.runs.store import Store
from attest.runs.trained_model import TrainedModel, model_file, read_model
from attest.system.weights import load_weights, set_weights
from attest.training.assemble import assemble_task

COMPARED_VERSIONS = ("model", "head", "preparation")
"""The versions of code that determine what the weights of a finished run compute."""


def open_run(prefix: str, overrides: Sequence[str] = ()) -> TrainedRun:
    """Return the finished run whose id begins with `prefix`.

    `overrides` may only change private settings such as paths.data. Raise RecordError if no id or more than one id
    begins with `prefix`.
    """
    return open_record(find_run(prefix, overrides), overrides)


def open_leniently(name: str | PathLike[str], overrides: Sequence[str] = ()) -> TrainedRun:
    """Return a finished run by its id or the beginning of it, or by its folder or the file of its model.

    If the file of word vectors is missing, words that the run has not met count as unknown words.
    """
    if not isinstance(name, str | PathLike) or not str(name):
        raise SettingsError(f"run: expected the id or the folder of a finished run, got {name!r}")
    overrides = check_override_list(overrides)
    is_place = not isinstance(name, str) or len(Path(name).parts) > 1 or Path(name).suffix or os.path.isdir(name)
    trained = open_model(Path(name), overrides) if is_place else open_run(str(name), overrides)
    return replace(trained, new_words="optional")


def open_record(record: Record, overrides: Sequence[str] = ()) -> TrainedRun:
    """Return the run of a record with its best weights.

    A RecordError is raised if the run failed, was trained by another version of the code or has no weights here.
    """
    if record.status != "done":
        raise RecordError(
            f"{record.id}: this run failed ({record.reason}) and has no weights; train it again with retry_failed=true"
        )
    settings = recompose(record.settings, overrides)
    check_versions(record, settings)
    folder = Path(settings.paths.runs) / record.id
    try:
        if model_file(folder).is_file():
            return run_of_model(record, settings, model_file(folder), read_model(model_file(folder)))
        if record.kind == "import":
            raise StorageError(f"{model_file(folder)}: there is no such file")
        return run_of_data(record, settings, weights_file(folder, record.selected["step"]))
    except StorageError as error:
        raise RecordError(f"{record.id}: {error}; {retraining_hint(record, settings)}") from error


def open_model(place: Path, overrides: Sequence[str] = ()) -> TrainedRun:
    """Return the run whose model is in a folder or a file, which needs no record elsewhere.

    `overrides` may only change private settings such as paths.data. Raise StorageError if there is no model or if it is
    damaged, and RecordError if another version of the code wrote it.
    """
    path = model_file(place) if place.is_dir() else place
    if not path.is_file():
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
    return TrainedRun(record, settings, model.words, model.sides, task.eval(), carried_parser=model.parser)


def run_of_data(record: Record, settings: Settings, weights: Path) -> TrainedRun:
    """Return a run whose model has no file, as earlier versions left runs: its data give the words.

    A RecordError is raised if there are no weights; a DataError, if the data are not those of training.
    """
    if not weights.is_file():
        raise RecordError(f"{record.id}: its weights are missing ({weights}); {retraining_hint(record, settings)}")
    provide_data(settings)
    settings = with_recorded_parser(record, settings)
    corpus = arrange_splits(prepare(settings), settings.protocol, settings.seed)
    if corpus.fingerprint != record.fingerprint:
        raise DataError(
            f"{record.id}: this run was trained on other files of {settings.dataset.name} or {settings.vectors.file} "
            f"(fingerprint {record.fingerprint}) than those in {settings.paths.data} (fingerprint "
            f"{corpus.fingerprint}); type paths.data=FOLDER with the folder of its files, or train it again"
        )
    task = assemble_task(settings, corpus)
    load_weights(task, weights)
    return TrainedRun(record, settings, corpus.words, len(corpus.splits["test"].sentences), task.eval())


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
    """Return what to type to train a run again whose weights were deleted or are on another machine."""
    if record.kind == "import":
        return "to restore it, repeat `attest import` with the file of its weights"
    path = Store(Path(settings.paths.records)).path(record.id)
    end = f", after deleting {path}" if path.is_file() else "; tracked records have no weights"
    return f"to train it again, type the `attest train` command that `attest show {record.id}` prints{end}"
