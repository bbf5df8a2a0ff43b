"""Trial after trial of a random search, until its budget is used up; the end is a ranking by dev."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hydra.core.utils import JobReturn
from hydra.plugins.launcher import Launcher

from attest.reproduction.search.ranking import Outcome, progress_line, ranking
from attest.reproduction.search.space import RandomSearch, Trial, check_trial, trials
from attest.runs.identity import run_id
from attest.runs.records import Record, Store
from hydra_plugins.attest_sweepers._launching import WAIT_SECONDS, busy, cause, tried


@dataclass(frozen=True)
class Budget:
    """Trials that are over count, from whichever sitting they are, so that the same command ends where it ended."""

    runs: int | None
    minutes: float | None
    """No trial begins after so much training, that of all trials together. A failed one counts while it is tried."""
    at_once: int

    def trials(self, outcomes: Sequence[Outcome], waiting: int = 0) -> int:
        """How many more may begin now; some others wait for other processes."""
        if self.minutes is not None and sum(each.seconds for each in outcomes) >= 60 * self.minutes:
            return 0
        return self.at_once if self.runs is None else max(0, min(self.at_once, self.runs - len(outcomes) - waiting))

    def seconds_left(self, outcomes: Sequence[Outcome]) -> float:
        """As far as those that are over tell."""
        spent, left = sum(each.seconds for each in outcomes), []
        if self.runs is not None:
            left.append(spent / len(outcomes) * (self.runs - len(outcomes)))
        if self.minutes is not None:
            left.append(max(0.0, 60 * self.minutes - spent))
        return min(left) / self.at_once


def search_all(launcher: Launcher, search: RandomSearch, overrides: Sequence[str], budget: Budget) -> list[JobReturn]:
    """Runs that fail are recorded and passed over; whatever else is wrong ends the search. A trial that another process
    is making comes up again when there is nothing else to do."""
    outcomes: list[Outcome] = []
    done: list[JobReturn] = []
    waiting: list[Trial] = []
    ahead = trials(search, overrides)
    try:
        while batch := list(islice(ahead, budget.trials(outcomes, len(waiting)))) or waiting:
            if batch is waiting:
                time.sleep(WAIT_SECONDS)
            for trial in batch:
                check_trial(trial)
            began = time.perf_counter()
            returned = tried(launcher, {trial.name: trial.overrides for trial in batch})
            seconds = (time.perf_counter() - began) / len(batch)
            over = [trial for trial in batch if not busy(returned[trial.name])]
            waiting = [trial for trial in dict.fromkeys([*waiting, *batch]) if trial not in over]
            outcomes += [Outcome(trial, record_of(trial, returned[trial.name]), seconds) for trial in over]
            done += [returned[trial.name] for trial in over]
            if over:
                print(progress_line(outcomes, budget.seconds_left(outcomes)), file=sys.stderr, flush=True)
    finally:
        if outcomes:
            print(ranking(search, outcomes), flush=True)
    return done


def record_of(trial: Trial, returned: JobReturn) -> Record:
    """Of the trial's run; its error where it has not come to leave one."""
    store, error = Store(Path(trial.settings.paths.records)), cause(returned)
    if error is None:
        record = store.get(returned.return_value)
        assert record is not None
        return record
    failed = (record for record in store if record.status == "failed")
    for record in failed:
        if record.kind == "train" and record.id == run_id(trial.settings, record.fingerprint):
            return record
    raise error
