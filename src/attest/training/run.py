"""Train and record one run from resolved settings, without Hydra and Weights & Biases."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor

from attest.config.devices import evaluation_format
from attest.config.flat import flatten
from attest.config.settings import Settings
from attest.data.batches.protocol import training_batches
from attest.data.batches.training import TrainingBatches
from attest.data.corpus import Corpus
from attest.data.corpus_facts import official_ratio
from attest.data.inputs import check_inputs
from attest.data.prepare import prepare
from attest.data.splits.splitting import arrange_splits
from attest.models.kernels import backends
from attest.models.sizes import trained_parameters
from attest.runs.code_state import changed_modules, code_state
from attest.runs.identity import code_versions, run_id
from attest.runs.lifecycle import run_once
from attest.runs.observers import Observers, ObserveRun, no_observers
from attest.runs.records import Record, utc_now
from attest.runs.store import Store
from attest.runs.trained_model import TrainedModel, model_file, write_model
from attest.syntax.parsers.registry import parser_of_run
from attest.system import environment
from attest.system.devices import choose_device, choose_format, warn_if_slow
from attest.system.torch_state import restored_torch_state
from attest.training import continuation
from attest.training.assemble import assemble_task
from attest.training.checks import check_scores, check_sentences_per_example
from attest.training.extensions import check_extension_classes, describe_callbacks
from attest.training.finite import check_metrics
from attest.training.inputs import training_inputs
from attest.training.loop import train_module
from attest.training.outputs import outputs_of_splits
from attest.training.padding import warn_if_padding_matters
from attest.training.tasks import SentenceTask, task_class

log = logging.getLogger(__name__)


def run(settings: Settings, observe: ObserveRun = no_observers) -> Record:
    """Return the record of the run: train, evaluate and record it unless it is finished already."""
    check_inputs(training_inputs(settings))
    check_extension_classes(settings.trainer, settings.packages)
    task_class(settings.task)  # raises SettingsError for a class of the user's own that is not a task
    code = code_state(settings)  # at the end of the run, the files may hold other code
    device = choose_device(settings.trainer.accelerator)
    warn_if_slow(choose_format(settings.trainer.precision, device), device, "trainer.precision=auto")
    corpus = arrange_splits(prepare(settings), settings.protocol, settings.seed)
    check_sentences_per_example(settings, corpus)
    check_scores(settings, corpus)
    identity = run_id(settings, corpus.fingerprint)
    batches = training_batches(corpus.splits["train"], settings.protocol, settings.seed)
    record = run_once(
        identity,
        settings,
        lambda: observe(settings, record_of(settings, corpus, identity, code=code, status="running"), batches.stop),
        lambda observers: train(settings, corpus, identity, code, batches, observers),
        partial(record_of, settings, corpus, identity, code=code),
    )
    if changed := changed_modules(record.environment, code):
        log.warning(
            "%s: this finished run used other code of %s; if the change affects figures, raise `version` of your class "
            "or function and run the command again to train it again",
            record.id,
            ", ".join(changed),
        )
    if settings.trainer.on_train and not any(name.startswith("train/") for name in record.metrics):
        log.info("%s: finished earlier with trainer.on_train=false, so the training set was not measured", record.id)
    return record


def record_of(settings: Settings, corpus: Corpus, identity: str, *, code: Mapping[str, Any], **fields: Any) -> Record:
    """Return the record of the run: its settings, data, environment and time, and the given fields.

    `code` is the state of the code of the run when it was loaded.
    """
    return Record(
        id=identity,
        parents=tuple(corpus.facts.get("parser", {}).get("runs", ())),
        label=settings.label,
        settings=flatten(settings),
        versions=code_versions(settings),
        data={**corpus.facts, "expected": official_counts(settings)},
        seed=settings.seed,
        environment={**environment.describe(code), **describe_computation(settings)},
        finished=utc_now(),
        **fields,
    )


def describe_computation(settings: Settings) -> dict[str, Any]:
    """Return how this process computed the run: the device, the back ends of attention, whether it packed batches, and
    the callbacks of the user's own.

    These facts are not settings of the experiment and change no id. They change no figure beyond rounding,
    except callbacks of the user's own, which can change figures.
    """
    return {
        "accelerator": choose_device(settings.trainer.accelerator),
        "attention": " ".join(backends.used()),
        "packed": settings.trainer.packed,
        **describe_callbacks(settings.trainer),
    }


@restored_torch_state()
def train(
    settings: Settings,
    corpus: Corpus,
    identity: str,
    code: Mapping[str, Any],
    batches: TrainingBatches,
    observers: Observers,
) -> tuple[Record, Mapping[str, np.ndarray]]:
    """Train from the last checkpoint, or from the first step, and evaluate the best weights.

    Write the model to the folder of the run. If the run is repeated, first delete its earlier record, which describes
    another model. Return the record of the run and its predictions for the test set.
    """
    store, folder = Store(Path(settings.paths.records)), Path(settings.paths.runs) / identity
    folder.mkdir(parents=True, exist_ok=True)
    continuation.start_from_shorter_run(settings, corpus.fingerprint, store, folder, batches)
    module = assemble_task(settings, corpus)
    warn_if_padding_matters(module, corpus.splits["train"])
    backends.use(settings.trainer.attention)
    size = settings.protocol.evaluation_batch_size
    latest: dict[str, Tensor] = {}
    number_format = evaluation_format(settings.trainer)

    def evaluate_splits(names: Sequence[str]) -> dict[str, float]:
        splits = {name: corpus.splits[name] for name in names}
        latest.update(outputs := outputs_of_splits(module, splits, size, number_format=number_format))
        return {k: v for name, split in splits.items() for k, v in module.metrics(name, outputs[name], split).items()}

    outcome = train_module(settings, module, batches, evaluate_splits, folder, observers, code)
    step = outcome.selected["step"]
    is_final = number_format == "fp32" and step == outcome.curve[-1]["step"]
    metrics, test_outputs = final_metrics(module, settings, corpus, latest if is_final else {})
    check_metrics(metrics, step)
    full_epoch_seconds = outcome.cost.epoch_seconds * official_ratio(settings, corpus)
    outcome = replace(outcome, cost=replace(outcome.cost, full_epoch_seconds=full_epoch_seconds))
    record = record_of(settings, corpus, identity, code=outcome.code, metrics=metrics, **outcome.record_fields)
    sides = len(corpus.splits["test"].sentences)
    parser = parser_of_run(record, settings)
    module.cpu()
    predictions = module.predictions(test_outputs, corpus.splits["test"])  # by code that may fail: the record stays
    model = TrainedModel(record, corpus.words, corpus.training_words, sides, module.state_dict(), parser)
    store.remove(identity)
    write_model(model_file(folder), model)
    return record, predictions


def final_metrics(
    module: SentenceTask, settings: Settings, corpus: Corpus, known: Mapping[str, Tensor]
) -> tuple[dict[str, float], Tensor]:
    """Return the number of parameters and the metrics of the splits, and the outputs (N, O) for the test set.

    The training set is measured if `settings.trainer.on_train` is true. `known` holds outputs that were computed
    before, by the name of the split.
    """
    splits = {name: split for name, split in corpus.splits.items() if name != "train" or settings.trainer.on_train}
    outputs = outputs_of_splits(module, splits, settings.protocol.evaluation_batch_size, known)
    metrics: dict[str, float] = {"parameters": trained_parameters(module.encoder, module.head)}
    for name, split in splits.items():
        metrics |= module.metrics(name, outputs[name], split, corpus.genres)
    return metrics, outputs["test"]


def official_counts(settings: Settings) -> dict[str, Any]:
    """Return the official numbers of examples and word vectors, to compare with the numbers that were read."""
    return {"splits": dict(settings.dataset.expected), "vectors": settings.vectors.expected}
