"""A note of the last step of a run, from which a later process says how many steps of a killed process are lost."""

import math
import time
from contextlib import suppress
from pathlib import Path

from attest.system.fences import check_known_loss

NOTE_SECONDS = 1.0
"""The least number of seconds between two notes."""


class StepNote:
    """The file with the number of a run's last step, which may be later than the step of its last checkpoint."""

    def __init__(self, path: Path) -> None:
        self.path, self._written = path, -math.inf

    def write(self, step: int) -> None:
        """Write the number of a step, at most once in NOTE_SECONDS. A disk that refuses it does not stop the run.

        Raise LeaseLostError if the run is known to be another process's by now.
        """
        if time.perf_counter() - self._written >= NOTE_SECONDS:
            check_known_loss()  # the file may be that of the process that goes on
            with suppress(OSError):
                self.path.write_text(f"{step}\n", encoding="ascii")
            self._written = time.perf_counter()

    def read(self) -> int:
        """Return the number in the file, or 0 if there is none."""
        try:
            return int(self.path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0

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
        lost = f"the {reached:,} steps before the interruption are lost, since no checkpoint had been written"
        return f"the run begins again at step 1 of {stop:,}: {lost}" if reached else ""
    where = (
        f"the run goes on at step {start + 1:,} of {stop:,}"
        if start < stop
        else f"the run goes on after its last step {start:,}"
    )
    number = reached - start
    lost = f"; {number:,} later step{'s are' if number > 1 else ' is'} lost and made again" if number > 0 else ""
    return f"{where}, from the checkpoint of step {start:,}{lost}"
