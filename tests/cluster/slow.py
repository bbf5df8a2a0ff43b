"""A callback that makes steps last, so that a test can disturb a run in the middle."""

import time
from typing import Any

import pytorch_lightning as pl


class Slow(pl.Callback):
    """A callback that sleeps after every step."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def on_train_batch_end(self, *arguments: Any, **options: Any) -> None:
        time.sleep(self.seconds)
