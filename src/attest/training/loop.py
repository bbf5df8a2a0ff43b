"""Train a learner with Lightning, from its last checkpoint if there is one, and load its best weights."""

import logging
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytorch_lightning as pl
import torch
from lightning_fabric.plugins.environments.lightning import LightningEnvironment
from pytorch_lightning.profilers import Profiler

from attest.config.settings import Settings, Trainer
from attest.data.batches.device import describe_data_placement
from attest.data.batches.training import TrainingBatches
from attest.runs.code_history import combined_state
from attest.runs.notes.step import describe_resumption
from attest.runs.observers import Observer
from attest.system import malloc
from attest.system.devices import TORCH_NAMES, choose_device, compute_fp32_exactly
from attest.system.memory import PeakMemory
from attest.system.signals import stop_requests
from attest.system.weights import load_weights
from attest.training.checkpoint_io import AtomicCheckpointIO, load_checkpoint
from attest.training.extensions import build_callbacks, build_profiler
from attest.training.learner import Learner
from attest.training.lightning import LightningLearner
from attest.training.outcome import TrainingOutcome
from attest.training.parser.settings import ParserTrainingSettings
from attest.training.schedule import EvaluateSplits, Schedule

log = logging.getLogger(__name__)
ALL_THREADS = torch.get_num_threads()
"""The number of threads that torch chose when it was imported.

This is the number of cores that the process may use, or OMP_NUM_THREADS, which parallel launchers set."""


def train_module(
    settings: Settings | ParserTrainingSettings,
    module: Learner,
    batches: TrainingBatches,
    evaluate_splits: EvaluateSplits,
    folder: Path,
    observers: Sequence[Observer],
    code: Mapping[str, Any],
) -> TrainingOutcome:
    """Train the module from the last checkpoint in `folder`, or from the first step, and load its best weights.

    Return the outcome, whose `code` is the state of the code over all parts of the run; the argument `code` is the
    state of this part.
    """
    torch.set_num_threads(settings.trainer.threads or ALL_THREADS)
    malloc.keep_freed_memory()
    compute_fp32_exactly()
    device = choose_device(settings.trainer.accelerator)
    memory = PeakMemory(device)
    batches.device = torch.device(TORCH_NAMES[device])
    with stop_requests() as stop_request:
        schedule = Schedule(settings, batches, evaluate_splits, folder, observers, stop_request, code)
        fit_from_checkpoint(settings, module, batches, schedule)
    cost = schedule.cost(memory.bytes())
    load_weights(module, schedule.best.file)
    module.to(batches.device)  # Lightning leaves it on the CPU
    return TrainingOutcome(
        selected=schedule.selected(module.measure),
        curve=tuple(schedule.curve),
        cost=cost,
        devices=tuple(schedule.parts.devices),
        code=combined_state(schedule.parts.code_parts),
    )


def fit_from_checkpoint(
    settings: Settings | ParserTrainingSettings, module: Learner, batches: TrainingBatches, schedule: Schedule
) -> None:
    """Train the module with Lightning, from the schedule's last checkpoint if there is one.

    Set `batches.start` to the number of steps before the checkpoint.
    """
    checkpoint = schedule.last_checkpoint if schedule.last_checkpoint.is_file() else None
    if checkpoint is not None:
        batches.start = load_checkpoint(checkpoint, module)
    if text := describe_resumption(
        batches.start, batches.stop, schedule.step_note.last_step(), resumes=checkpoint is not None
    ):
        log.info("%s", text)
    if text := describe_data_placement(batches.split, batches.device):
        log.info("%s", text)
    schedule.step_note.remove()
    own = build_callbacks(settings.trainer, settings.packages)
    profiler = build_profiler(settings.trainer, settings.packages)
    fit_with_lightning(settings.trainer, module, batches, [*own, schedule], checkpoint, profiler)


def fit_with_lightning(
    settings: Trainer,
    module: Learner,
    batches: TrainingBatches,
    callbacks: list[pl.Callback],
    checkpoint: Path | None = None,
    profiler: Profiler | None = None,
) -> None:
    """Run Lightning's training loop without its loggers, progress bars, summaries and own checkpoints."""
    for name in ("pytorch_lightning", "lightning.pytorch", "lightning.fabric", "lightning_fabric"):
        logging.getLogger(name).setLevel(logging.ERROR)  # hides hints about unused devices and products
    # In deterministic mode, torch fills every new tensor before use. That only helps to find bugs, and costs time.
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    trainer = pl.Trainer(
        accelerator=TORCH_NAMES[choose_device(settings.accelerator)],
        devices=1,
        precision="32-true" if settings.precision == "fp32" else "bf16-mixed",
        max_steps=batches.stop,
        callbacks=callbacks,
        profiler=profiler,
        # One run is one process on one device, also where SLURM is installed or has started it: Lightning would warn
        # that srun is not used, and would take over the signals by which submitit stops a job.
        plugins=[AtomicCheckpointIO(), LightningEnvironment()],
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        deterministic=choose_device(settings.accelerator) == "cpu",
    )
    with warnings.catch_warnings():
        # Lightning calls an interface that torch has deprecated; users of Attest can do nothing about it.
        warnings.filterwarnings("ignore", message=".*isinstance.treespec, LeafSpec.*", category=FutureWarning)
        warnings.filterwarnings("ignore", message="The `srun` command is available")
        try:
            trainer.fit(LightningLearner(module), batches, ckpt_path=checkpoint, weights_only=True)
        except SystemExit as end:
            if isinstance(end.__context__, KeyboardInterrupt):  # Lightning ends the process at a second Ctrl-C
                raise end.__context__ from None
            raise
