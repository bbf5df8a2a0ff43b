"""Callbacks and the profiler of Lightning that the settings of the trainer name: private settings of the user's own."""

import logging
from collections.abc import Sequence

import pytorch_lightning as pl
from pytorch_lightning.callbacks import DeviceStatsMonitor, LearningRateMonitor
from pytorch_lightning.profilers import Profiler

from attest.config.components import EXTENSIONS, build_component, named_callbacks
from attest.config.locate import locate_class
from attest.config.settings import Trainer
from attest.errors import SettingsError

NEED_LOGGER = (LearningRateMonitor, DeviceStatsMonitor)
"""Callbacks that fail without a logger of Lightning. Figures of runs go to observers instead."""


def check_kinds(settings: Trainer, packages: Sequence[str]) -> None:
    """Raise SettingsError if a class that the settings name is no callback, or no profiler, of Lightning."""
    kinds = [(where, item, pl.Callback) for where, item in named_callbacks(settings)]
    kinds += [("trainer.profiler", settings.profiler, Profiler)] if settings.profiler else []
    for where, component, kind in kinds:
        found = locate_class(component, where, (*packages, *EXTENSIONS))
        if not issubclass(found, kind):
            raise SettingsError(f"{where}._target_: {component['_target_']} is no {kind.__name__} of Lightning")
        if issubclass(found, NEED_LOGGER):
            raise SettingsError(
                f"{where}._target_: {component['_target_']} writes to a logger of Lightning, which runs here do not "
                "have; choose another callback (logger=wandb, csv or tensorboard show the learning rate of each step)"
            )


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
