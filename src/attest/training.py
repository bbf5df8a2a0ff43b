"""Resolved settings in, one finished run and its record out. Knows neither Hydra nor Weights & Biases."""

import logging
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytorch_lightning as pl
import torch
from torch import Tensor

from attest import lengthening
from attest.config import components
from attest.config.build import build_model
from attest.config.schema import flatten
from attest.config.settings import Settings, Trainer
from attest.data.corpus import Corpus
from attest.data.prepare import prepare
from attest.data.samplers import TrainingBatches, training_batches
from attest.data.split import FIRST_WORD
from attest.data.splitting import arrange
from attest.errors import StorageError
from attest.evaluation import outputs_of_all
from attest.learner import Learner
from attest.models.kernels import backends
from attest.models.word_vectors import WordVectors
from attest.runs.identity import run_id, versions_of
from attest.runs.lifecycle import once
from attest.runs.observers import Watch, Watcher, nobody
from attest.runs.records import Record, Store, now, weights_of
from attest.schedule import Checkpoints, Measure, Schedule, Scheduled
from attest.seeds import seed_for
from attest.system import environment, malloc
from attest.system.signals import stoppable
from attest.tasks import TASKS, SentenceTask

ALL_THREADS = torch.get_num_threads()
"""What torch found at its start: the cores of this process, or OMP_NUM_THREADS, which parallel launchers set."""


def run(settings: Settings, watch: Watch = nobody) -> Record:
    """Train, select, evaluate and record one run, or find its record (`making.once`)."""
    corpus = arrange(prepare(settings), settings.protocol, settings.seed)
    identity = run_id(settings, corpus.fingerprint)
    batches = training_batches(corpus.splits["train"], settings.protocol, settings.seed)
    return once(
        identity,
        settings,
        lambda: watch(settings, identity, batches.stop),
        lambda watchers: train(settings, corpus, identity, batches, watchers),
        partial(record_of, settings, corpus, identity),
    )


def record_of(settings: Settings, corpus: Corpus, identity: str, **outcome: Any) -> Record:
    """What was run, on what, where and when; and what came of it."""
    return Record(
        id=identity,
        parents=tuple(corpus.facts.get("parser", {}).get("runs", ())),
        label=settings.label,
        settings=flatten(settings),
        versions=versions_of(settings),
        data={**corpus.facts, "expected": expected(settings)},
        seed=settings.seed,
        environment=environment.describe(),
        finished=now(),
        **outcome,
    )


def train(
    settings: Settings, corpus: Corpus, identity: str, batches: TrainingBatches, watchers: Sequence[Watcher]
) -> tuple[Record, Mapping[str, np.ndarray]]:
    """One run from its last checkpoint, or from the beginning, to its record and its test predictions."""
    backends.use(settings.trainer.attention)
    folder = Path(settings.paths.runs) / identity
    folder.mkdir(parents=True, exist_ok=True)
    lengthening.begin(settings, corpus.fingerprint, Store(Path(settings.paths.records)), folder, batches)
    module = assemble(settings, corpus)
    size = settings.protocol.evaluation_batch_size
    latest: dict[str, Tensor] = {}

    def measure(names: Sequence[str]) -> dict[str, float]:
        splits = {name: corpus.splits[name] for name in names}
        latest.update(outputs := outputs_of_all(module, splits, size))
        return {k: v for name, split in splits.items() for k, v in module.metrics(name, outputs[name], split).items()}

    outcome = learn(settings, module, batches, measure, folder, watchers, official_share(settings, corpus))
    measured = {name: it for name, it in corpus.splits.items() if name != "train" or settings.trainer.on_train}
    best_was_last = outcome["selected"]["step"] == outcome["curve"][-1]["step"]
    outputs = outputs_of_all(module, measured, size, latest if best_was_last else None)
    metrics: dict[str, float] = {"parameters": count_parameters(module)}
    for name, evaluated in measured.items():
        metrics |= module.metrics(name, outputs[name], evaluated, corpus.genres)
    record = record_of(settings, corpus, identity, metrics=metrics, **outcome)
    return record, module.predictions(outputs["test"], corpus.splits["test"])


def official_share(settings: Settings, corpus: Corpus) -> float:
    """How many times as many labelled examples the official training set has as were read, or drawn of them."""
    first = next(iter(corpus.facts["splits"]))
    return settings.dataset.expected[first] / corpus.facts.get("examples", corpus.facts["splits"][first]["labelled"])


def learn(
    settings: Scheduled,
    module: Learner,
    batches: TrainingBatches,
    measure: Measure,
    folder: Path,
    watchers: Sequence[Watcher],
    official_share: float = 1.0,
) -> dict[str, Any]:
    """Train from the last checkpoint, or from the beginning, and leave the module with its best weights.

    Returns what the record says of how it went. `official_share` is that of `Schedule.cost`.
    """
    torch.set_num_threads(settings.trainer.threads or ALL_THREADS)
    malloc.keep()
    memory = environment.PeakMemory(settings.trainer.accelerator)
    with stoppable() as stop:
        schedule = Schedule(settings, batches, measure, folder, watchers, stop)
        fit(settings.trainer, module, batches, schedule)
    cost = schedule.cost(official_share, memory.bytes())
    module.load_state_dict(torch.load(weights_of(folder, schedule.best_step), weights_only=True))
    return {
        "status": "done",
        "selected": schedule.selected(module.measure),
        "curve": tuple(schedule.curve),
        "cost": cost,
    }


def fit(settings: Trainer, module: pl.LightningModule, batches: TrainingBatches, schedule: Schedule) -> None:
    """Let Lightning train, from the last checkpoint if there is one."""
    checkpoint = schedule.last_checkpoint if schedule.last_checkpoint.is_file() else None
    if checkpoint is not None:
        batches.start = steps_done(checkpoint)
    loop(settings, module, batches, [schedule], checkpoint)


def loop(
    settings: Trainer,
    module: pl.LightningModule,
    batches: TrainingBatches,
    callbacks: list[pl.Callback],
    checkpoint: Path | None = None,
) -> None:
    """Lightning, and nothing of what it does besides training."""
    for name in ("pytorch_lightning", "lightning.pytorch", "lightning.fabric", "lightning_fabric"):
        logging.getLogger(name).setLevel(logging.ERROR)  # they tell of devices not used and of products
    # Or torch, told to be deterministic, walks over every result before it is computed; that finds bugs and no more.
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    trainer = pl.Trainer(
        accelerator=settings.accelerator,
        devices=1,
        precision="32-true" if settings.precision == "fp32" else "bf16-mixed",
        max_steps=batches.stop,
        callbacks=callbacks,
        plugins=[Checkpoints()],
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        deterministic=settings.accelerator == "cpu",
    )
    with warnings.catch_warnings():
        # Lightning asks torch something in a way that torch discourages: for them to settle.
        warnings.filterwarnings("ignore", message=".*isinstance.treespec, LeafSpec.*", category=FutureWarning)
        trainer.fit(module, batches, ckpt_path=checkpoint, weights_only=True)


def steps_done(checkpoint: Path) -> int:
    try:
        return int(torch.load(checkpoint, weights_only=True, mmap=True)["global_step"])
    except Exception as error:
        raise StorageError(
            f"{checkpoint}: not a readable checkpoint ({type(error).__name__}); delete it, and the run begins anew"
        ) from error


def assemble(settings: Settings, corpus: Corpus) -> SentenceTask:
    """The module with its first weights, which follow from the seed alone."""
    torch.manual_seed(seed_for(settings.seed, "weights"))
    words = WordVectors(
        torch.tensor(np.array(corpus.vectors)),
        corpus.training_words,
        trained=settings.vectors.trained == "training_words",
        unknown=settings.vectors.unknown,
        unknown_range=settings.vectors.unknown_range,
        sparse=takes_rows(settings),
        unit_length=settings.vectors.unit_length,
        reserved=FIRST_WORD,
    )
    encoder, head = build_model(settings, corpus.vectors.shape[1])
    return TASKS[settings.task](
        words,
        encoder,
        head,
        lambda groups: components.build(settings.optimizer, "optimizer", trusted=settings.packages, params=groups),
        float(settings.optimizer.get("weight_decay", 0.0)),
        settings.trainer.packed,
        settings.protocol.longest_gradient,
    )


def takes_rows(settings: Settings) -> bool:
    """Whether the optimiser takes gradients that hold only the rows of the batch."""
    return "rows" in components.parameters(components.locate(settings.optimizer, "optimizer", settings.packages))


def count_parameters(module: SentenceTask) -> int:
    """Trained parameters without word vectors, as the papers count them."""
    parts = (module.encoder, module.head)
    return sum(p.numel() for part in parts for p in part.parameters() if p.requires_grad)


def expected(settings: Settings) -> dict[str, Any]:
    """The official counts, for whoever compares them with what was read."""
    return {"splits": dict(settings.dataset.expected), "vectors": settings.vectors.expected}
