"""Losses and metrics that are not finite numbers."""

from types import SimpleNamespace

import pytest
import torch

from attest.errors import TrainingError
from attest.training.finite import check_loss, check_metrics


@pytest.mark.parametrize("loss", [float("inf"), float("-inf"), float("nan")])
def test_a_sum_of_losses_that_is_not_finite_is_an_error_that_names_the_step(loss):
    learner = SimpleNamespace(loss_sum=torch.tensor(1e38))
    check_loss(learner, 7)
    learner.loss_sum += loss
    with pytest.raises(TrainingError, match="^the loss is no longer a finite number at step 1200; lower"):
        check_loss(learner, 1200)


def test_the_first_metric_that_is_not_finite_is_named_with_its_step():
    check_metrics({"dev/accuracy": 60.0, "dev/loss": -1.5}, 7)
    with pytest.raises(TrainingError, match="^dev/loss is no longer a finite number at step 1200; lower"):
        check_metrics({"dev/accuracy": 60.0, "dev/loss": float("inf"), "test/loss": float("nan")}, 1200)
