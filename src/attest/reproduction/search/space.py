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
from attest.config.yaml_files import blamed_on, read_yaml
from attest.errors import SettingsError
from attest.reproduction.specs import files
from attest.reproduction.tables.cells import merge_overrides

DIGITS = 2
"""Of a number that is drawn from a range: as papers print them."""
REPEATS = 1000
"""After so many draws in a row that were drawn before, there is nothing new."""


@dataclass(frozen=True, kw_only=True)
class Draw:
    """What one setting is drawn from: values, all alike, or a range."""

    values: Sequence[Any] = ()
    low: float | None = None
    high: float | None = None
    step: Annotated[float, Positive] | None = None
    """Set, low, low + step and so on up to high, all alike."""
    log: bool = False
    """Whether every factor, in place of every difference, is as likely as the next."""

    def draw(self, random: np.random.Generator) -> Any:
        if self.values:
            return self.values[int(random.integers(len(self.values)))]
        assert self.low is not None
        assert self.high is not None
        if self.step is not None:
            steps = math.floor((self.high - self.low) / self.step + 1e-9)
            return rounded(self.low + self.step * int(random.integers(steps + 1)), 6)
        if self.log:
            return rounded(math.exp(random.uniform(math.log(self.low), math.log(self.high))), DIGITS)
        return rounded(random.uniform(self.low, self.high), DIGITS)


def rounded(value: float, digits: int) -> float | int:
    """To so many digits that count; whole numbers as such."""
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() else short


@dataclass(frozen=True, kw_only=True)
class RandomSearch:
    name: str
    title: str
    reference: str
    source: str
    """Whence the ranges."""
    base: Sequence[str]
    settings: Mapping[str, Draw]
    mini: Mapping[str, Draw] = field(default_factory=dict)
    """What is drawn otherwise at scale=mini, whose models are narrow."""

    def draws(self, scale: str) -> Mapping[str, Draw]:
        return {**self.settings, **(self.mini if scale == "mini" else {})}


@dataclass(frozen=True)
class Trial:
    number: int
    drawn: tuple[str, ...]
    """The settings that were drawn, as key=value."""
    overrides: tuple[str, ...]
    """All that makes it."""

    @cached_property
    def settings(self) -> Settings:
        return compose(self.overrides)

    @property
    def name(self) -> str:
        return f"trial {self.number}"


def trials(search: RandomSearch, overrides: Sequence[str]) -> Iterator[Trial]:
    """Draw after draw, those left out that were drawn before. Each follows from the seed, its number and the names of
    the settings alone. What `overrides` fix is not drawn."""
    said = by_key(overrides)
    draws = {key: draw for key, draw in search.draws(said.get("scale", "mini")).items() if key not in said}
    seen, last = set(), 0
    for number in count(1):
        drawn = draw_of(draws, int(said.get("seed", 1)), number)
        if drawn not in seen:
            seen, last = seen | {drawn}, number
            label = f"label.row=trial_{number}"
            yield Trial(number, drawn, merge_overrides([*search.base, *overrides, *drawn, label]))
        elif number - last >= REPEATS:
            return


def by_key(overrides: Sequence[str]) -> dict[str, str]:
    return {key: value for key, _, value in (text.partition("=") for text in overrides)}


def draw_of(draws: Mapping[str, Draw], seed: int, number: int) -> tuple[str, ...]:
    """The number-th draw. Every setting has random numbers of its own, so that one more or less changes no other."""
    return tuple(f"{key}={worded(draw.draw(np.random.default_rng([seed, number, *key.encode()])))}"
                 for key, draw in draws.items())  # fmt: skip


def worded(value: Any) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def check_trial(trial: Trial) -> None:
    """Refuse what would let the test set choose."""
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
    return read(files.path_of(name, "search", "there is no such search"), name)


def read(path: Path, name: str) -> RandomSearch:
    data = read_yaml(path)
    with blamed_on(path):
        search = parse(RandomSearch, {"name": name, **data})
        for group in ("settings", "mini"):
            for key, draw in getattr(search, group).items():
                check(f"{group}.{key}", draw)
    return search


def check(where: str, draw: Draw) -> None:
    ranged = draw.low is not None and draw.high is not None
    if bool(draw.values) == ranged or (draw.low is None) != (draw.high is None):
        raise SettingsError(f"{where}: a setting is drawn either from `values` or from `low` to `high`")
    if draw.low is not None and draw.high is not None and draw.low >= draw.high:
        raise SettingsError(f"{where}: low {draw.low} is not below high {draw.high}")
    if draw.log and (draw.step is not None or draw.low is None or draw.low <= 0):
        raise SettingsError(f"{where}: log is for ranges above 0, without a step")
    if draw.step is not None and not ranged:
        raise SettingsError(f"{where}: a step is for a range")
