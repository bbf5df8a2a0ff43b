"""Losses and metrics that are no finite numbers."""

import pytest

from attest.errors import TrainingError
from attest.training.finite import check_metrics


def test_the_first_metric_that_is_not_finite_is_named_with_its_step():
    check_metrics({"dev/accuracy": 60.0, "dev/loss": -1.5}, 7)
    with pytest.raises(TrainingError, match="^dev/loss is no longer a finite number at step 1200; lower"):
        check_metrics({"dev/accuracy": 60.0, "dev/loss": float("inf"), "test/loss": float("nan")}, 1200)
