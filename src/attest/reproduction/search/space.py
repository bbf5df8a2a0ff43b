"""Random search (Bergstra and Bengio 2012) over a paper's hyper-parameters: `reproduce/PAPER/search_*.yaml`.
Trials are ordinary runs; dev alone ranks them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from attest.config.compose import compose
from attest.config.schema import Positive, parse
from attest.config.settings import Settings
from attest.config.yaml_files import naming_file, read_yaml
from attest.errors import SettingsError
from attest.reproduction.specs import files
from attest.reproduction.tables.cells import merge_overrides

DIGITS = 2
"""The significant digits of a number that is drawn from a range, as in printed hyper-parameters."""
REPEATS = 1000
"""The number of repeated draws in a row after which a search ends, because nothing new is left."""


@dataclass(frozen=True, kw_only=True)
class Draw:
    """The distribution of one setting: uniform over values, or over a range."""

    values: Sequence[Any] = ()
    low: float | None = None
    high: float | None = None
    step: Annotated[float, Positive] | None = None
    """If set, the draw is uniform over low, low + step and so on up to high."""
    log: bool = False
    """Whether the logarithm is uniform instead of the number."""

    def draw(self, random: np.random.Generator) -> Any:
        """Return a value of the setting."""
        if self.values:
            return self.values[int(random.integers(len(self.values)))]
        assert self.low is not None
        assert self.high is not None
        if self.step is not None:
            steps = math.floor((self.high - self.low) / self.step + 1e-9)
            return round_to_digits(self.low + self.step * int(random.integers(steps + 1)), 6)
        if self.log:
            return round_to_digits(math.exp(random.uniform(math.log(self.low), math.log(self.high))), DIGITS)
        return round_to_digits(random.uniform(self.low, self.high), DIGITS)


def round_to_digits(value: float, digits: int) -> float | int:
    """Return the value with so many significant digits; whole numbers become int."""
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() else short


@dataclass(frozen=True, kw_only=True)
class RandomSearch:
    """A random search: the settings that are drawn, and the experiment that they override."""

    name: str
    title: str
    reference: str
    source: str
    """Where the ranges come from."""
    base: Sequence[str]
    settings: Mapping[str, Draw]
    mini: Mapping[str, Draw] = field(default_factory=dict)
    """Distributions that replace those of `settings` at scale=mini, whose models are narrow."""

    def draws(self, scale: str) -> Mapping[str, Draw]:
        """Return the distribution of each setting at the scale."""
        return {**self.settings, **(self.mini if scale == "mini" else {})}


@dataclass(frozen=True)
class Trial:
    """A run of a random search."""

    number: int
    drawn: tuple[str, ...]
    """The drawn settings, as key=value."""
    overrides: tuple[str, ...]
    """All overrides of the run."""

    @cached_property
    def settings(self) -> Settings:
        return compose(self.overrides)

    @property
    def name(self) -> str:
        return f"trial {self.number}"


def trials(search: RandomSearch, overrides: Sequence[str]) -> Iterator[Trial]:
    """Yield the trials of a search without repetitions, until nothing new is drawn.

    A trial depends only on the seed, its number and the names of the settings. Settings in `overrides` are not drawn.
    """
    fixed = override_values(overrides)
    draws = {key: draw for key, draw in search.draws(fixed.get("scale", "mini")).items() if key not in fixed}
    seen, last = set(), 0
    for number in count(1):
        drawn = draw_settings(draws, int(fixed.get("seed", 1)), number)
        if drawn not in seen:
            seen, last = seen | {drawn}, number
            label = f"label.row=trial_{number}"
            yield Trial(number, drawn, merge_overrides([*search.base, *overrides, *drawn, label]))
        elif number - last >= REPEATS:
            return


def override_values(overrides: Sequence[str]) -> dict[str, str]:
    """Return the value of each key in overrides of the form key=value."""
    return {key: value for key, _, value in (text.partition("=") for text in overrides)}


def draw_settings(draws: Mapping[str, Draw], seed: int, number: int) -> tuple[str, ...]:
    """Return draw `number`, as key=value. Each setting has its own random numbers, so adding one changes no other."""
    return tuple(f"{key}={format_value(draw.draw(np.random.default_rng([seed, number, *key.encode()])))}"
                 for key, draw in draws.items())  # fmt: skip


def format_value(value: Any) -> str:
    """Return the value as Hydra reads it in an override."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def check_trial(trial: Trial) -> None:
    """Raise SettingsError if the test set would influence which trial is best."""
    protocol, dataset = trial.settings.protocol, trial.settings.dataset
    if protocol.observe_test:
        raise SettingsError("protocol.observe_test: a search chooses on the dev set alone; leave it at false")
    if protocol.missing_dev == "test" and "dev" not in dataset.files:
        raise SettingsError(
            f"protocol.missing_dev: {dataset.name} has no dev set, and a search must not use the test set; "
            "choose split_train"
        )


def names() -> list[str]:
    """Return the names of all searches, as dam/ngram."""
    return files.names("search")


def load(name: str) -> RandomSearch:
    """Return a search by its name; raise SettingsError if it does not exist or its file has mistakes."""
    return read(files.path_of(name, "search", "there is no such search"), name)


def read(path: Path, name: str) -> RandomSearch:
    """Return the search that a file describes; raise SettingsError, with the file's name, for mistakes in it."""
    data = read_yaml(path)
    with naming_file(path):
        search = parse(RandomSearch, {"name": name, **data})
        for group in ("settings", "mini"):
            for key, draw in getattr(search, group).items():
                check_draw(f"{group}.{key}", draw)
    return search


def check_draw(where: str, draw: Draw) -> None:
    """Raise SettingsError if the distribution is incomplete or contradicts itself."""
    ranged = draw.low is not None and draw.high is not None
    if bool(draw.values) == ranged or (draw.low is None) != (draw.high is None):
        raise SettingsError(f"{where}: a setting is drawn either from `values` or from `low` to `high`")
    if draw.low is not None and draw.high is not None and draw.low >= draw.high:
        raise SettingsError(f"{where}: low {draw.low} is not below high {draw.high}")
    if draw.log and (draw.step is not None or draw.low is None or draw.low <= 0):
        raise SettingsError(f"{where}: log is for ranges above 0, without a step")
    if draw.step is not None and not ranged:
        raise SettingsError(f"{where}: a step is for a range")
