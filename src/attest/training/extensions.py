"""Callbacks and the profiler of Lightning that the settings of the trainer name: ids do not hash them."""

import logging
from collections.abc import Mapping, Sequence

import pytorch_lightning as pl
from pytorch_lightning.callbacks import (
    BaseFinetuning,
    BatchSizeFinder,
    Checkpoint,
    DeviceStatsMonitor,
    EarlyStopping,
    GradientAccumulationScheduler,
    LearningRateFinder,
    LearningRateMonitor,
    ModelPruning,
    ProgressBar,
    StochasticWeightAveraging,
    ThroughputMonitor,
    Timer,
    WeightAveraging,
)
from pytorch_lightning.profilers import Profiler

from attest.config.components import EXTENSIONS, build_component, named_callbacks
from attest.config.locate import locate_class
from attest.config.settings import Trainer
from attest.errors import SettingsError

LOGS_TO_LIGHTNING = (
    "writes to a logger of Lightning, which runs here do not have; choose another callback (logger=wandb, csv or "
    "tensorboard show the learning rate of each step)"
)
AVERAGES_WEIGHTS = (
    "averages weights, but evaluations here measure, and runs here keep, the weights of single steps, so it would "
    "change no figure; leave it out, or write an optimiser that puts averages into the weights"
)
CHANGES_TRAINING = (
    "changes how a run trains, which only settings may do: the id of a run does not depend on its callbacks; leave it "
    "out, and set protocol.batch_size, optimizer.lr or the model instead"
)
UNSUITABLE: Mapping[type[pl.Callback], str] = {
    LearningRateMonitor: LOGS_TO_LIGHTNING,
    DeviceStatsMonitor: LOGS_TO_LIGHTNING,
    ThroughputMonitor: LOGS_TO_LIGHTNING,
    EarlyStopping: "reads metrics that are logged to Lightning, and runs here log none; leave it out, since the best "
    "weights on dev are kept anyway, or let protocol.lr_decay_on_plateau and protocol.min_lr end the training",
    Timer: "ends the training at a time, but the settings of a run decide how many steps it has; set protocol.steps or "
    "protocol.epochs",
    Checkpoint: "saves checkpoints of Lightning, which runs here switch off, since they keep their own; leave it out, "
    "or set trainer.checkpoint_seconds and trainer.keep_last",
    ProgressBar: "is a progress bar of Lightning, which runs here switch off, since they have their own; leave it out: "
    "trainer.progress says whether progress is shown",
    StochasticWeightAveraging: AVERAGES_WEIGHTS,
    WeightAveraging: AVERAGES_WEIGHTS,
    BaseFinetuning: CHANGES_TRAINING,
    BatchSizeFinder: CHANGES_TRAINING,
    GradientAccumulationScheduler: CHANGES_TRAINING,
    LearningRateFinder: CHANGES_TRAINING,
    ModelPruning: CHANGES_TRAINING,
}
"""Callbacks of Lightning that fail here, change nothing or change the training, each with the reason and what to do
instead. Classes that derive from them are unsuitable too."""


def check_extension_classes(settings: Trainer, packages: Sequence[str]) -> None:
    """Raise SettingsError if a class that the settings name is not a Lightning callback or profiler, or if it is an
    unsuitable callback."""
    kinds = [(where, item, pl.Callback) for where, item in named_callbacks(settings)]
    kinds += [("trainer.profiler", settings.profiler, Profiler)] if settings.profiler else []
    for where, component, kind in kinds:
        found = locate_class(component, where, (*packages, *EXTENSIONS))
        if not issubclass(found, kind):
            raise SettingsError(
                f"{where}._target_: {component['_target_']} is not a Lightning {kind.__name__}; name a class that "
                f"derives from {kind.__module__}.{kind.__name__}"
            )
        for unsuitable, reason in UNSUITABLE.items():
            if issubclass(found, unsuitable):
                raise SettingsError(f"{where}._target_: {component['_target_']} {reason}")


def build_callbacks(settings: Trainer, packages: Sequence[str]) -> list[pl.Callback]:
    """Return the callbacks that trainer.callbacks describes."""
    trusted = (*packages, *EXTENSIONS)
    return [build_component(item, where, trusted=trusted) for where, item in named_callbacks(settings)]


def describe_callbacks(settings: Trainer) -> dict[str, list[str]]:
    """Return the classes of trainer.callbacks as an entry of a record's environment, or no entry without callbacks."""
    classes = [str(item["_target_"]) for _, item in named_callbacks(settings)]
    return {"callbacks": classes} if classes else {}


def build_profiler(settings: Trainer, packages: Sequence[str]) -> Profiler | None:
    """Return the profiler of trainer.profiler, whose report is logged at the end, or None if there is none."""
    if settings.profiler is None:
        return None
    logging.getLogger("pytorch_lightning.profilers").setLevel(logging.INFO)
    return build_component(settings.profiler, "trainer.profiler", trusted=(*packages, *EXTENSIONS))
