"""Checks that the loss and the metrics of a training run are finite numbers."""

import math
from collections.abc import Mapping

from attest.errors import TrainingError
from attest.training.learner import Learner

CHECK_LOSS_EVERY = 100
"""The number of training steps between two calls of `check_loss`.

A check in every step would be slow, since it waits until the device has computed the loss. Few checks suffice: once a
loss is infinite or NaN, the sum of losses stays so."""


def check_loss(module: Learner, step: int) -> None:
    """Raise TrainingError if the sum of losses since the last evaluation is infinite or not a number."""
    if not bool(module.loss_sum.isfinite()):
        raise TrainingError(describe_divergence("the loss", step))


def check_metrics(metrics: Mapping[str, float], step: int) -> None:
    """Raise TrainingError if a metric of the weights after this step is infinite or not a number."""
    for name, value in metrics.items():
        if not math.isfinite(value):
            raise TrainingError(describe_divergence(name, step))


def describe_divergence(name: str, step: int) -> str:
    """Return the error text of a loss or a metric that is not a finite number."""
    return (
        f"{name} is no longer a finite number at step {step}; lower the learning rate, or look for broken word vectors "
        "and for a division by zero in code of your own"
    )
