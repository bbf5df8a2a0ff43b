"""What happens between training steps: evaluation and selection, checkpoints, the clock."""

import io
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytorch_lightning as pl
import torch
from pytorch_lightning.plugins.io import TorchCheckpointIO

from attest.batching import TrainingBatches
from attest.corpus import Corpus
from attest.errors import TrainingError
from attest.evaluation import outputs_of_all
from attest.seeds import seed_for
from attest.settings import Protocol, Settings
from attest.stopping import Request, Stopped
from attest.storage import write_bytes
from attest.tasks import SentenceTask
from attest.watching import Watcher

CHECK_LOSS_EVERY = 100


class Schedule(pl.Callback):
    """Looks at the dev set when the protocol says so, keeps the best weights and enough to go on after a kill.

    All of its state travels in the checkpoint. Weights are named by their step, so that an old checkpoint never
    meets the weights of a later step.
    """

    def __init__(
        self,
        settings: Settings,
        corpus: Corpus,
        batches: TrainingBatches,
        folder: Path,
        watchers: Sequence[Watcher],
        stop: Request,
    ) -> None:
        self.settings, self.corpus, self.batches, self.folder = settings, corpus, batches, folder
        self.watchers, self.stop = watchers, stop
        self.best_step, self.best_value = 0, -math.inf
        self.step_seconds = self.earlier_seconds = 0.0
        self.curve: list[dict[str, float]] = []
        self._began = self._step_began = self._saved = time.perf_counter()
        self.ended_at: int | None = None
        """The step after which the learning rate was too low to go on."""
        self._steps_in_sum = 0
        self._best_saved = 0
        """The step of the weights that the last checkpoint names; without them it could not go on."""

    @property
    def last_checkpoint(self) -> Path:
        return self.folder / "last.ckpt"

    @property
    def wall_seconds(self) -> float:
        return self.earlier_seconds + time.perf_counter() - self._began

    def state_dict(self) -> dict[str, Any]:
        return {
            "best_step": self.best_step,
            "best_value": self.best_value,
            "step_seconds": self.step_seconds,
            "wall_seconds": self.wall_seconds,
            "curve": self.curve,
            "steps_in_sum": self._steps_in_sum,
            "ended_at": self.ended_at,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.best_step, self.best_value = state_dict["best_step"], state_dict["best_value"]
        self.step_seconds, self.earlier_seconds = state_dict["step_seconds"], state_dict["wall_seconds"]
        self.curve, self._steps_in_sum = state_dict["curve"], state_dict["steps_in_sum"]
        self._best_saved = self.best_step
        self.ended_at = state_dict.get("ended_at")  # older checkpoints have none

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        if self.ended_at is not None:
            self.end(trainer, self.ended_at)

    def end(self, trainer: pl.Trainer, step: int) -> None:
        self.ended_at = self.batches.stop = step
        trainer.should_stop = True

    def on_train_batch_start(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, batch: Any, batch_idx: int
    ) -> None:
        torch.manual_seed(seed_for(self.settings.seed, "dropout", trainer.global_step))
        self._step_began = time.perf_counter()

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        self.step_seconds += time.perf_counter() - self._step_began
        self._steps_in_sum += 1
        task, step = cast("SentenceTask", pl_module), trainer.global_step
        if step % CHECK_LOSS_EVERY == 0 or step == self.batches.stop:
            check_finite(task, step)
        if step >= self.batches.stop or is_due(self.settings.protocol, self.batches, step):
            self.evaluate(task, step)
            if self.lower_rate(trainer) < self.settings.protocol.least_rate:
                self.end(trainer, step)
        last = step >= self.batches.stop
        for watcher in self.watchers:
            watcher.step(step)
        overdue = time.perf_counter() - self._saved > self.settings.trainer.checkpoint_seconds
        if last or overdue or self.stop.made:
            self.save(trainer)
        if self.stop.made:
            raise Stopped(f"stopped after step {step:,} of {self.batches.stop:,}")

    def evaluate(self, module: SentenceTask, step: int) -> None:
        """One entry of the curve; new best weights where what the task goes for is higher than ever."""
        check_finite(module, step)
        names = ("dev", "test") if self.settings.protocol.observe_test else ("dev",)
        splits = {name: self.corpus.splits[name] for name in names}
        outputs = outputs_of_all(module, splits, self.settings.protocol.evaluation_batch_size)
        entry = {
            "step": step,
            "epoch": round(step / self.batches.steps_per_epoch, 3),
            "train/loss": float(module.loss_sum) / self._steps_in_sum,
            "train/running_accuracy": 100 * float(module.correct_sum) / self._steps_in_sum,
        }
        for name, split in splits.items():
            entry |= module.metrics(name, outputs[name], split)
        self._steps_in_sum = 0
        module.loss_sum.zero_()
        module.correct_sum.zero_()
        self.curve.append(entry)
        if entry[f"dev/{module.measure}"] > self.best_value:
            self.best_step, self.best_value = step, entry[f"dev/{module.measure}"]
            content = io.BytesIO()
            torch.save(module.state_dict(), content)
            write_bytes(weights_of(self.folder, step), content.getvalue())
            keep_weights(self.folder, step, self._best_saved)
        for watcher in self.watchers:
            watcher.evaluated(entry)

    def lower_rate(self, trainer: pl.Trainer) -> float:
        """As the protocol says after a look at the dev set; the highest rate that is left."""
        protocol, gained = self.settings.protocol, self.best_step == trainer.global_step
        for group in trainer.optimizers[0].param_groups:
            group["lr"] *= protocol.rate_kept * (1.0 if gained else protocol.rate_kept_without_gain)
        return max(group["lr"] for group in trainer.optimizers[0].param_groups)

    def save(self, trainer: pl.Trainer) -> None:
        trainer.save_checkpoint(self.last_checkpoint)  # atomic: see Checkpoints
        self._saved, self._best_saved = time.perf_counter(), self.best_step
        keep_weights(self.folder, self.best_step)


def is_due(protocol: Protocol, batches: TrainingBatches, step: int) -> bool:
    """Whether the protocol looks at the dev set after this step."""
    every = protocol.evaluate_every or batches.steps_per_epoch
    return step % every == 0 and step >= protocol.evaluate_from


def weights_of(folder: Path, step: int) -> Path:
    return folder / f"best-{step}.pt"


def keep_weights(folder: Path, *steps: int) -> None:
    """Delete the weights of all other steps."""
    kept = [weights_of(folder, step) for step in steps]
    for weights in folder.glob("best-*.pt"):
        if weights not in kept:
            weights.unlink()


class Checkpoints(TorchCheckpointIO):
    """Lightning writes checkpoints through this: never half done, and read without pickled code."""

    def save_checkpoint(self, checkpoint: dict[str, Any], path: Any, storage_options: Any | None = None) -> None:
        content = io.BytesIO()
        torch.save(checkpoint, content)
        write_bytes(Path(path), content.getvalue())


def check_finite(module: SentenceTask, step: int) -> None:
    if not bool(module.loss_sum.isfinite()):
        raise TrainingError(
            f"the loss is no longer a finite number at step {step}; lower optimizer.lr, or look for broken word vectors"
        )
