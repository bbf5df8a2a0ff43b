"""Runs that break off after a checkpoint, and their records beside those of undisturbed runs."""

from typing import Any

import pytest

from attest.config.flat import to_plain
from attest.runs.records import Record
from attest.training.schedule import Schedule


class Interrupted(BaseException):
    """A kill, as far as the run can tell."""


def break_off_after(checkpoint: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let a run break off after its checkpoint of this number; return the list that receives the step of each one."""
    plainly, steps = Schedule.save, []

    def breaking(self: Schedule, trainer: Any) -> None:
        plainly(self, trainer)
        steps.append(trainer.global_step)
        if len(steps) == checkpoint:
            raise Interrupted

    monkeypatch.setattr(Schedule, "save", breaking)
    return steps


def comparable(record: Record) -> dict[str, Any]:
    """Return a record without what a clock or a machine has put into it."""
    return {key: value for key, value in to_plain(record).items() if key not in ("cost", "environment", "finished")}
