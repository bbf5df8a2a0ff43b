"""attest tune."""

import argparse

from omegaconf import DictConfig

from attest.cli.train import job, start_hydra
from attest.errors import SettingsError
from attest.reproduction.search.space import by_key, check_trial, load, trials

OURS = {"runs": int, "minutes": float, "at_once": int}
"""For the sweeper; everything else goes to the runs."""


def tune(parsed: argparse.Namespace, overrides: list[str]) -> None:
    search = load(parsed.search)
    said = by_key(overrides)
    ours = {key: number(key, said[key]) for key in OURS if key in said}
    theirs = [text for text in overrides if text.partition("=")[0] not in OURS]
    if not {"runs", "minutes"} & ours.keys():
        raise SettingsError("how long? runs=20 makes 20 trials, minutes=30 begins none after half an hour of training")
    if not said.get("seed", "1").isdecimal():
        raise SettingsError(f"seed={said['seed']}: one seed draws all trials; expected a whole number from 0")
    check_trial(next(trials(search, theirs)))  # whatever is wrong is said before Hydra starts, in one sentence
    sweep = [f"hydra.sweeper.{key}={value}" for key, value in {"search": search.name, **ours}.items()]
    start_hydra(["-m", "hydra/sweeper=search", *sweep, *theirs], trial)


def number(key: str, text: str) -> float:
    try:
        value = OURS[key](text)
    except ValueError as error:
        raise SettingsError(f"{key}={text}: expected a number, as in runs=20 minutes=30 at_once=2") from error
    if not value > 0:
        raise SettingsError(f"{key}={text}: expected more than 0")
    return value


def trial(config: DictConfig) -> str:
    """One run that nobody is shown the test figures of."""
    return job(config, hidden=("test",))
