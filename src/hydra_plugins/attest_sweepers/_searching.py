"""Running of the trials of a random search until its budget is used up, and the ranking of the trials by dev."""

import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from hydra.core.utils import JobReturn
from hydra.plugins.launcher import Launcher

from attest.reproduction.search.budget import Budget
from attest.reproduction.search.ranking import TrialOutcome, progress_line, ranking
from attest.reproduction.search.space import RandomSearch, Trial, check_trial, trials
from attest.runs.identity import run_id
from attest.runs.records import Record
from attest.runs.store import Store
from hydra_plugins.attest_sweepers._launching import (
    WAIT_SECONDS,
    failure,
    is_busy,
    launch_once,
    launcher_name,
    open_launch,
)
from hydra_plugins.attest_sweepers._stopping import raise_if_stopped


def parallel_trials(launcher: Launcher, launched: int) -> int:
    """Return how many of the trials that are launched together run at the same time.

    SLURM and Ray may have room for fewer than they are allowed to run, which is not known here.
    """
    match launcher_name(launcher):
        case "basic":
            return 1
        case "joblib":
            from joblib import effective_n_jobs

            return min(launched, effective_n_jobs(getattr(launcher, "joblib", {}).get("n_jobs", 1)))
        case "slurm":
            return min(launched, getattr(launcher, "params", {}).get("array_parallelism", launched))
    return launched


def search_all(launcher: Launcher, search: RandomSearch, overrides: Sequence[str], budget: Budget) -> list[JobReturn]:
    """Run trials until the budget is used up, print their ranking, and return the results of the jobs.

    A run that fails is recorded, and the search continues; any other error ends it. A trial that another process is
    training is launched again when no other trial can begin.
    """
    outcomes: list[TrialOutcome] = []
    done: list[JobReturn] = []
    waiting: list[Trial] = []
    upcoming = trials(search, overrides)
    try:
        while batch := list(islice(upcoming, budget.trials(outcomes, len(waiting)))) or waiting:
            if batch is waiting:
                time.sleep(WAIT_SECONDS)
            for trial in batch:
                check_trial(trial)
            began = time.perf_counter()
            jobs = {trial.name: trial.overrides for trial in batch}
            launch = None if launcher_name(launcher) == "basic" else open_launch(launcher, jobs, search.name)
            returned = launch_once(launcher, jobs, launch)
            raise_if_stopped(returned, launch)
            seconds = (time.perf_counter() - began) / len(batch)
            finished = [trial for trial in batch if not is_busy(returned[trial.name])]
            waiting = [trial for trial in dict.fromkeys([*waiting, *batch]) if trial not in finished]
            outcomes += [
                TrialOutcome(trial, record_or_raise(trial, returned[trial.name]), seconds) for trial in finished
            ]
            done += [returned[trial.name] for trial in finished]
            if finished:
                left = budget.seconds_left(outcomes, parallel_trials(launcher, budget.at_once))
                print(progress_line(outcomes, left), file=sys.stderr, flush=True)
    finally:
        if outcomes:
            print(ranking(search, outcomes), flush=True)
    return done


def record_or_raise(trial: Trial, returned: JobReturn) -> Record:
    """Return the record of a trial's run; raise the error of a trial that left no record."""
    store, error = Store(Path(trial.settings.paths.records)), failure(returned)
    if error is None:
        record = store.get(returned.return_value.run_id)
        assert record is not None
        return record
    for record in (record for record in store if record.status == "failed"):
        if record.kind == "train" and record.id == run_id(trial.settings, record.fingerprint):
            return record
    raise error
