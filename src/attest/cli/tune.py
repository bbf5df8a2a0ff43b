"""attest tune."""

import argparse
from dataclasses import dataclass
from typing import Annotated

from omegaconf import DictConfig

from attest.cli.train import job, start_hydra
from attest.config.overrides import split_overrides
from attest.config.schema import AtLeastOne, Positive, Range, parse
from attest.errors import SettingsError
from attest.reproduction.search.space import check_trial, load, trials


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The settings of the sweeper; all other settings are those of the runs."""

    runs: Annotated[int, AtLeastOne] | None = None
    """The number of trials."""
    minutes: Annotated[float, Positive] | None = None
    """No trial begins after so many minutes of training."""
    at_once: Annotated[int, AtLeastOne] = 1
    """The number of trials that are launched together."""


@dataclass(frozen=True, kw_only=True)
class Seed:
    """The seed that all trials of a search are drawn with."""

    seed: Annotated[int, Range(0)] = 1


def tune(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Make the trials of a random search until its budget is used up."""
    search = load(parsed.search)
    values, settings = split_overrides(overrides, Budget.__dataclass_fields__)
    budget = parse(Budget, values)
    if budget.runs is None and budget.minutes is None:
        raise SettingsError(
            "attest tune: no budget given. Type runs=20 for 20 trials, or minutes=30 to begin none after 30 minutes of "
            "training"
        )
    seed, _ = split_overrides(settings, ("seed",))
    if isinstance(seed.get("seed"), list):
        raise SettingsError(f"seed={','.join(map(str, seed['seed']))}: one seed draws all trials; give one number")
    parse(Seed, seed)
    check_trial(next(trials(search, settings)))  # a mistake in the overrides is reported before Hydra starts
    sweep = [f"hydra.sweeper.{key}={value}" for key, value in {"search": search.name, **values}.items()]
    start_hydra(["-m", "hydra/sweeper=search", *sweep, *settings], trial)


def trial(config: DictConfig) -> str:
    """Make one run without printing its test figures, and return its id."""
    return job(config, hidden=("test",))
