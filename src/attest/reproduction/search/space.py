"""Random search (Bergstra and Bengio 2012) over a paper's hyper-parameters, read from `reproduce/PAPER/search_*.yaml`.

Trials are ordinary runs, which are ranked by their dev results alone.
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
from attest.config.constraints import Positive
from attest.config.overrides import override_value, values_by_key
from attest.config.schema import from_plain
from attest.config.settings import Settings
from attest.config.yaml_files import locate_errors_in_file, read_yaml
from attest.errors import SettingsError
from attest.reproduction.specs import files
from attest.reproduction.tables.cells import merge_overrides
from attest.system.random_streams import numpy_generator

DIGITS = 2
"""The number of significant digits to which a number drawn from a range is rounded; more if the range is narrow."""
REPEATS = 1000
"""The number of trials in a row that repeat earlier ones after which a search ends."""


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """The distribution of one setting: uniform over values, or over a range."""

    values: Sequence[Any] = ()
    """The possible values; empty for a range."""
    low: float | None = None
    """The lower end of the range; None for a list of values."""
    high: float | None = None
    """The upper end of the range; None for a list of values."""
    step: Annotated[float, Positive] | None = None
    """The distance between the possible values low, low + step, and so on up to high; None: all values in between."""
    log: bool = False
    """True if the logarithm is uniform instead of the number."""

    def sample(self, random: np.random.Generator) -> Any:
        """Return a random value of the setting."""
        if self.values:
            return self.values[int(random.integers(len(self.values)))]
        assert self.low is not None
        assert self.high is not None
        if self.step is not None:
            steps = math.floor((self.high - self.low) / self.step + 1e-9)
            return round_to_digits(self.low + self.step * int(random.integers(steps + 1)), 6)
        if self.log:
            drawn = math.exp(random.uniform(math.log(self.low), math.log(self.high)))
        else:
            drawn = random.uniform(self.low, self.high)
        narrow = math.log10(max(abs(self.low), abs(self.high)) / (self.high - self.low))
        rounded = round_to_digits(drawn, DIGITS + max(0, math.floor(narrow)))
        return min(max(rounded, self.low), self.high)


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
    """The source of the distributions, such as a table of the paper."""
    base: Sequence[str]
    """The overrides that all trials share."""
    settings: Mapping[str, Distribution]
    mini: Mapping[str, Distribution] = field(default_factory=dict)
    """The distributions that replace those of `settings` at scale=mini, since its models are narrow."""

    def distributions(self, scale: str) -> Mapping[str, Distribution]:
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
    """Yield the trials of a search, each different from all others, until REPEATS draws in a row give nothing new.

    A trial depends only on the seed, its number and the names of the settings. Settings in `overrides` are not drawn.
    """
    fixed = values_by_key(overrides)
    at_scale = search.distributions(fixed.get("scale", "mini"))
    distributions = {key: distribution for key, distribution in at_scale.items() if key not in fixed}
    seen, last = set(), 0
    for number in count(1):
        drawn = draw_settings(distributions, int(fixed.get("seed", 1)), number)
        if drawn not in seen:
            seen, last = seen | {drawn}, number
            label = f"label.row=trial_{number}"
            yield Trial(number, drawn, merge_overrides([*search.base, *overrides, *drawn, label]))
        elif number - last >= REPEATS:
            return


def draw_settings(distributions: Mapping[str, Distribution], seed: int, number: int) -> tuple[str, ...]:
    """Return the settings that are drawn for trial `number`, as key=value.

    Each setting has random numbers of its own, so a further setting changes no other.
    """
    purpose = "setting of a trial"
    return tuple(
        f"{key}={override_value(distribution.sample(numpy_generator(seed, purpose, number, *key.encode())))}"
        for key, distribution in distributions.items()
    )


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


def load_search(name: str) -> RandomSearch:
    """Return a search by its name; raise SettingsError if it does not exist or its file has mistakes."""
    return read_search(files.path_of(name, "search", "there is no such search"), name)


def read_search(path: Path, name: str) -> RandomSearch:
    """Return the search that a file describes; raise SettingsError, with the file's name, for mistakes in it."""
    data = read_yaml(path)
    with locate_errors_in_file(path):
        search = from_plain(RandomSearch, {"name": name, **data})
        for group in ("settings", "mini"):
            for key, distribution in getattr(search, group).items():
                check_distribution(f"{group}.{key}", distribution)
    return search


def check_distribution(where: str, distribution: Distribution) -> None:
    """Raise SettingsError if the distribution is incomplete or contradicts itself."""
    ranged = distribution.low is not None and distribution.high is not None
    if bool(distribution.values) == ranged or (distribution.low is None) != (distribution.high is None):
        raise SettingsError(f"{where}: give either values, or both low and high")
    if distribution.low is not None and distribution.high is not None and distribution.low >= distribution.high:
        raise SettingsError(f"{where}: low {distribution.low} is not below high {distribution.high}")
    if distribution.log and (distribution.step is not None or distribution.low is None or distribution.low <= 0):
        raise SettingsError(f"{where}: log needs a low above 0 and no step; correct low, or leave out log or step")
    if distribution.step is not None and not ranged:
        raise SettingsError(f"{where}: step needs low and high; add them, or leave step out")
