"""Callbacks that make steps last, so that a test can disturb a run in the middle."""

import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytorch_lightning as pl


class Slow(pl.Callback):
    """A callback that sleeps after every step."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def on_train_batch_end(self, *arguments: Any, **options: Any) -> None:
        time.sleep(self.seconds)


class Held(pl.Callback):
    """A callback that leaves a file of its own in a folder at a run's first step, and holds the run there until the
    file `go` is in the folder."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.begun = False

    def on_train_batch_end(self, *arguments: Any, **options: Any) -> None:
        if not self.begun:
            self.begun = True
            (self.folder / f"{uuid4()}.begun").touch()
        while not (self.folder / "go").exists():
            time.sleep(0.05)
