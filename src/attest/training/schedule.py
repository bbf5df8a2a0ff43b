"""The callback that evaluates, selects weights, saves checkpoints and measures time between training steps."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytorch_lightning as pl
from torch import Tensor

from attest.config.settings import Protocol, Settings
from attest.data.batches.training import TrainingBatches
from attest.errors import TrainingError
from attest.runs.notes.step import StepNote
from attest.runs.observers import Observer, StepFigures
from attest.runs.records import Cost
from attest.runs.run_folder import checkpoint_file, step_file
from attest.runs.selection_rule import selection_rule
from attest.system import environment
from attest.system.devices import choose_device
from attest.system.random_streams import seed_torch, torch_seed
from attest.system.signals import Stopped, StopRequest
from attest.training.finite import CHECK_LOSS_EVERY, check_loss, check_metrics
from attest.training.learner import Learner
from attest.training.lightning import LightningLearner
from attest.training.optim.gradients import gradient_norm
from attest.training.parser.settings import ParserTrainingSettings
from attest.training.run_parts import RunParts
from attest.training.selection import BestWeights
from attest.training.step_clock import StepClock

EvaluateSplits = Callable[[Sequence[str]], Mapping[str, float]]
"""A function from names of splits to metrics of the module with its current weights, such as dev/accuracy."""


class Schedule(pl.Callback):
    """The callback that evaluates on the dev set by the protocol, keeps the best weights and saves checkpoints.

    Its whole state is part of the checkpoint, so that a killed run can resume. Files of weights are named by their
    step, so that an old checkpoint is never combined with the weights of a later step.
    """

    def __init__(
        self,
        settings: Settings | ParserTrainingSettings,
        batches: TrainingBatches,
        evaluate_splits: EvaluateSplits,
        folder: Path,
        observers: Sequence[Observer],
        stop_request: StopRequest,
        code: Mapping[str, Any],
    ) -> None:
        self.settings, self.batches, self.evaluate_splits, self.folder = settings, batches, evaluate_splits, folder
        self.observers, self.stop_request = observers, stop_request
        self.best = BestWeights(folder)
        self.clock = StepClock(choose_device(settings.trainer.accelerator))
        self.earlier_seconds = 0.0
        self.curve: list[dict[str, float]] = []
        self.parts = RunParts(code)
        self._began = self._saved = time.perf_counter()
        self.step_note = StepNote(step_file(folder))
        self.ended_at: int | None = None
        """The step after which training ended because the learning rate fell below its minimum; None if it did not."""
        self._steps_in_sum = 0

    @property
    def last_checkpoint(self) -> Path:
        return checkpoint_file(self.folder)

    @property
    def wall_seconds(self) -> float:
        return self.earlier_seconds + time.perf_counter() - self._began

    def cost(self, peak_bytes: int) -> Cost:
        """Return the cost of the run so far.

        `full_epoch_seconds` equals `epoch_seconds` here; `attest.training.run.train` scales it to the official training
        set.
        """
        epoch_seconds = self.clock.seconds / self.batches.epochs_of(self.batches.stop)
        return Cost(
            step_seconds=self.clock.seconds,
            epoch_seconds=epoch_seconds,
            full_epoch_seconds=epoch_seconds,
            wall_seconds=self.wall_seconds,
            peak_bytes=peak_bytes,
        )

    def selected(self, measure: str) -> dict[str, Any]:
        """Return the step of the best weights as `step`, and a description of the rule that selected them as `rule`."""
        return {"step": self.best.step, "rule": selection_rule(measure)}

    def state_dict(self) -> dict[str, Any]:
        return {
            "best_step": self.best.step,
            "best_value": self.best.value,
            "step_seconds": self.clock.seconds,
            "wall_seconds": self.wall_seconds,
            "curve": self.curve,
            "steps_in_sum": self._steps_in_sum,
            "ended_at": self.ended_at,
            "devices": self.parts.devices,
            "code_parts": self.parts.code_parts,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.best.resume(state_dict["best_step"], state_dict["best_value"])
        self.clock.seconds, self.earlier_seconds = state_dict["step_seconds"], state_dict["wall_seconds"]
        self.curve, self._steps_in_sum = state_dict["curve"], state_dict["steps_in_sum"]
        self.ended_at = state_dict["ended_at"]
        self.parts.resume(state_dict["devices"], state_dict["code_parts"], self.batches.start)

    def on_fit_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Pass on the curve of a checkpoint, also of one after the last step, where Lightning starts no training."""
        if self.curve:
            for observer in self.observers:
                observer.resumed(self.curve)

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        # Lightning's handler of SIGTERM, set just before, exits with code 0 and saves nothing.
        self.stop_request.listen()
        if self.ended_at is not None:
            self.end(trainer, self.ended_at)
        if trainer.global_step < self.batches.stop:
            settings = self.settings.trainer
            name = environment.device_name(choose_device(settings.accelerator))
            self.parts.use_device(name, settings.precision, trainer.global_step)

    def on_train_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Raise TrainingError if a callback of the user's own has ended the training before its last step."""
        if trainer.global_step < self.batches.stop:
            raise TrainingError(
                f"trainer.callbacks: a callback ended the training after step {trainer.global_step:,} of "
                f"{self.batches.stop:,}; leave it out: protocol.steps, protocol.epochs and protocol.min_lr decide when "
                "a run ends"
            )

    def end(self, trainer: pl.Trainer, step: int) -> None:
        """End the training after the given step, before its planned last step."""
        self.ended_at = self.batches.stop = step
        trainer.should_stop = True

    def on_train_batch_start(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, batch: Any, batch_idx: int
    ) -> None:
        seed_torch(torch_seed(self.settings.seed, "dropout", trainer.global_step), pl_module.device)
        self.clock.begin_step()

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        self.clock.end_step()
        self._steps_in_sum += 1
        self.step_note.write(trainer.global_step, self.batches.stop)
        module, step = cast(LightningLearner, pl_module), trainer.global_step
        task = module.learner
        if step % CHECK_LOSS_EVERY == 0:
            check_loss(task, step)
        for observer in self.observers:
            observer.step(step, partial(self.measure_step, trainer, module, outputs["loss"]))
        if step >= self.batches.stop or evaluation_is_due(self.settings.protocol, self.batches, step):
            self.evaluate(task, step)
            if self.decay_learning_rate(trainer) < self.settings.protocol.min_lr:
                self.end(trainer, step)
        last = step >= self.batches.stop
        overdue = time.perf_counter() - self._saved > self.settings.trainer.checkpoint_seconds
        if last or overdue or self.stop_request.received:
            self.save(trainer)
        if self.stop_request.received:
            self.step_note.write(step, self.batches.stop, last=True)
            raise Stopped(f"stopped after step {step:,} of {self.batches.stop:,}")

    def measure_step(self, trainer: pl.Trainer, module: LightningLearner, loss: Tensor) -> StepFigures:
        """Return the figures of the step that has just ended, whose gradients are still there."""
        self.clock.stop()
        norm = gradient_norm(module.learner.parameters()) if module.clipped_norm is None else module.clipped_norm
        return StepFigures(
            loss=float(loss),
            lr=highest_rate(trainer),
            grad_norm=float(norm),
            examples=trainer.global_step * self.batches.examples_per_step,
            seconds=self.clock.seconds,
        )

    def evaluate(self, module: Learner, step: int) -> None:
        """Add an entry to the curve, and save the weights if their measure on the dev set is the highest so far."""
        self.clock.stop()
        check_loss(module, step)
        entry = {"step": step, "epoch": round(self.batches.epochs_of(step), 3)}
        entry |= module.pop_training_means(self._steps_in_sum)
        entry |= self.evaluate_splits(("dev", "test") if self.settings.protocol.observe_test else ("dev",))
        check_metrics(entry, step)
        self._steps_in_sum = 0
        self.curve.append(entry)
        self.best.save_if_best(module, step, entry[f"dev/{module.measure}"])
        for observer in self.observers:
            observer.evaluated(entry)

    def decay_learning_rate(self, trainer: pl.Trainer) -> float:
        """Multiply the learning rates by the protocol's factors after an evaluation, and return the highest of them."""
        protocol, improved = self.settings.protocol, self.best.step == trainer.global_step
        for group in trainer.optimizers[0].param_groups:
            group["lr"] *= protocol.lr_decay * (1.0 if improved else protocol.lr_decay_on_plateau)
        return highest_rate(trainer)

    def save(self, trainer: pl.Trainer) -> None:
        """Save a checkpoint, and delete the weights that it replaces."""
        self.clock.stop()
        trainer.save_checkpoint(self.last_checkpoint)  # atomic: see AtomicCheckpointIO
        self._saved = time.perf_counter()
        self.best.delete_replaced_weights()
        if trainer.global_step >= self.batches.stop:
            self.step_note.remove()


def highest_rate(trainer: pl.Trainer) -> float:
    """Return the highest learning rate of a parameter group."""
    return max(group["lr"] for group in trainer.optimizers[0].param_groups)


def evaluation_is_due(protocol: Protocol, batches: TrainingBatches, step: int) -> bool:
    """Return whether the protocol evaluates the dev set after this step."""
    every = protocol.evaluate_every or batches.steps_per_epoch
    return step % every == 0 and step >= protocol.evaluate_from
