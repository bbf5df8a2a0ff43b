"""A note of the last step of a run, for `attest status`, and for a later process to say how many steps are lost."""

import json
import math
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from attest.errors import StorageError
from attest.system.fences import check_known_loss
from attest.system.files import atomic_path

NOTE_SECONDS = 1.0
"""The smallest number of seconds between two notes."""


@dataclass(frozen=True)
class Step:
    """The last step of a run that is known."""

    step: int
    steps: int = 0
    """The number of steps of the whole run; 0 if unknown."""
    first: int = 0
    """The first step that the present process completed."""
    seconds: float = 0.0
    """The elapsed seconds since the end of step `first`."""


class StepNote:
    """The file with the number of a run's last step, which may be later than the step of its last checkpoint."""

    def __init__(self, path: Path) -> None:
        self.path, self._written = path, -math.inf
        self._began: float | None = None
        self._first = 0

    def write(self, step: int, steps: int = 0, *, last: bool = False) -> None:
        """Write the number of a step of `steps`, at most once in NOTE_SECONDS, except for the `last` one of a process.

        A disk that refuses the file does not stop the run. Raise LeaseLostError if this process is known to have lost
        the lease of the run to another one.
        """
        now = time.perf_counter()
        if self._began is None:
            self._began, self._first = now, step
        if last or now - self._written >= NOTE_SECONDS:
            check_known_loss()  # the file may be that of the process that now trains the run
            note = Step(step, steps, self._first, round(now - self._began, 3))
            with suppress(OSError, StorageError), atomic_path(self.path, durable=False) as temporary:
                temporary.write_text(json.dumps(asdict(note)), encoding="ascii")
            self._written = now

    def read(self) -> Step | None:
        """Return the step in the file, or None if there is none or the file is damaged."""
        try:
            return Step(**json.loads(self.path.read_text(encoding="ascii")))
        except (OSError, ValueError, TypeError):
            return None

    def last_step(self) -> int:
        """Return the number of the step in the file, or 0 if there is none."""
        step = self.read()
        return 0 if step is None else step.step

    def remove(self) -> None:
        """Delete the file, if it exists."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def describe_resumption(start: int, stop: int, reached: int, *, resumes: bool) -> str:
    """Return a sentence on where an interrupted run resumes and how many steps are lost, or "" for a new run.

    `start` is the step of the checkpoint, `stop` the last step of the run, and `reached` the last step that is known of
    the earlier process, or 0.
    """
    if not resumes:
        steps = "step before the interruption is" if reached == 1 else "steps before the interruption are"
        lost = f"the {reached:,} {steps} lost, since no checkpoint had been written"
        return f"the run begins again at step 1 of {stop:,}: {lost}" if reached else ""
    where = f"resuming at step {start + 1:,} of {stop:,}" if start < stop else f"resuming after the last step {start:,}"
    number = reached - start
    lost = f"; {number:,} later step{'s are' if number > 1 else ' is'} lost and repeated" if number > 0 else ""
    return f"{where}, from the checkpoint of step {start:,}{lost}"
