"""The budget of a random search: trials, minutes of training, or both."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from attest.config.constraints import AtLeastOne, Positive
from attest.reproduction.search.ranking import TrialOutcome


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The settings of `attest tune` that limit the search; the command passes all other settings on to the runs.

    Finished and failed trials of earlier commands count too, so that a repeated command starts no further trial.
    """

    runs: Annotated[int, AtLeastOne] | None = None
    """The number of trials."""
    minutes: Annotated[float, Positive] | None = None
    """The minutes of training, of all trials together, after which no further trial begins."""
    at_once: Annotated[int, AtLeastOne] = 1
    """The number of trials that are launched together."""

    def trials(self, outcomes: Sequence[TrialOutcome], waiting: int = 0) -> int:
        """Return how many trials may begin now, beside `waiting` trials that other processes are running."""
        if self.minutes is not None and sum(outcome.seconds for outcome in outcomes) >= 60 * self.minutes:
            return 0
        return self.at_once if self.runs is None else max(0, min(self.at_once, self.runs - len(outcomes) - waiting))

    def seconds_left(self, outcomes: Sequence[TrialOutcome], parallel: int) -> float:
        """Return an estimate of the seconds that are left, from the mean time of the trials so far.

        `parallel` is the number of trials that run at the same time.
        """
        spent, left = sum(outcome.seconds for outcome in outcomes), []
        if self.runs is not None:
            left.append(spent / len(outcomes) * math.ceil((self.runs - len(outcomes)) / parallel))
        if self.minutes is not None:
            left.append(max(0.0, 60 * self.minutes - spent) / parallel)
        return min(left)
