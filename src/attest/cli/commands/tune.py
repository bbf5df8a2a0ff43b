"""attest tune: a random search over the hyper-parameters of a paper."""

import argparse
from dataclasses import dataclass
from typing import Annotated

from omegaconf import DictConfig

from attest.cli.commands.train import start_hydra
from attest.cli.job import job
from attest.config.constraints import Range
from attest.config.overrides import split_overrides
from attest.config.schema import from_plain
from attest.errors import SettingsError
from attest.reproduction.search.budget import Budget
from attest.reproduction.search.space import check_trial, load_search, trials
from attest.runs.finished_run import FinishedRun


@dataclass(frozen=True, kw_only=True)
class Seed:
    """The schema of the seed, with which the settings of all trials are drawn."""

    seed: Annotated[int, Range(0)] = 1


def tune(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Train the trials of a random search until its budget is used up."""
    search = load_search(parsed.search)
    values, settings = split_overrides(overrides, Budget.__dataclass_fields__)
    budget = from_plain(Budget, values)
    if budget.runs is None and budget.minutes is None:
        raise SettingsError(
            "attest tune: no budget given. Type runs=20 for 20 trials, or minutes=30 to begin none after 30 minutes of "
            "training"
        )
    seed, _ = split_overrides(settings, ("seed",))
    if isinstance(seed.get("seed"), list):
        raise SettingsError(f"seed={','.join(map(str, seed['seed']))}: one seed draws all trials; give one number")
    from_plain(Seed, seed)
    check_trial(next(trials(search, settings)))  # a mistake in the overrides is reported before Hydra starts
    sweep = [f"hydra.sweeper.{key}={value}" for key, value in {"search": search.name, **values}.items()]
    start_hydra(["-m", "hydra/sweeper=search", *sweep, *settings], trial)


def trial(config: DictConfig) -> FinishedRun:
    """Train one trial without printing its test figures, and return its figure on dev and the id of its run."""
    return job(config, hidden=("test",))
