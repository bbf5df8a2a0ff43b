"""The replicates of an experiment: runs that differ in their seed, or in the fold that is the test set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from attest.config.constraints import AtLeastOne
from attest.errors import SettingsError


@dataclass(frozen=True, kw_only=True)
class Replicates:
    """The replicates of a table: their axis, and their number."""

    axis: Literal["seed", "fold"]
    n: Annotated[int, AtLeastOne]
    mini: Annotated[int, AtLeastOne] = 1
    """The number of replicates at scale=mini."""

    @property
    def key(self) -> str:
        """The dotted key of the setting in which replicates differ: seed or protocol.fold."""
        return {"seed": "seed", "fold": "protocol.fold"}[self.axis]

    @property
    def noun(self) -> str:
        return {"seed": "runs", "fold": "folds"}[self.axis]

    @property
    def first(self) -> int:
        return {"seed": 1, "fold": 0}[self.axis]

    def count(self, scale: str) -> int:
        return self.mini if scale == "mini" else self.n

    def override(self, number: int) -> str:
        return f"{self.key}={number}"

    def number(self, settings: Mapping[str, Any]) -> int:
        """Return the number of the replicate that has these settings."""
        return int(settings[self.key])

    def override_of(self, settings: Mapping[str, Any]) -> str:
        """Return the override that selects the replicate with these settings, such as seed=3."""
        return self.override(self.number(settings))

    def numbers(self, scale: str, wanted: str | None = None) -> list[int]:
        """Return the numbers of the replicates that `wanted` selects: seeds, or folds.

        "3" selects the first three, "4,7" or "[4]" exactly those that it lists, None as many as the table has. Seeds
        are not limited by the table; folds are.
        """
        if wanted is None:
            return self.first_numbers(self.count(scale))
        listed = wanted.startswith("[") or "," in wanted
        try:
            numbers = [int(part) for part in wanted.strip("[]").split(",")]
        except ValueError as error:
            raise SettingsError(
                f"seeds={wanted}: expected a number of seeds, or a list of them such as 0,1,2"
            ) from error
        if not listed:
            numbers = self.first_numbers(numbers[0] if self.axis == "seed" else min(numbers[0], self.n))
        if not numbers:
            raise SettingsError(f"seeds={wanted}: no runs are left; type a number from 1, or a list such as seeds=0,1")
        if min(numbers) < 0:
            raise SettingsError(f"seeds={wanted}: a seed is a whole number from 0")
        if repeated := [number for number in dict.fromkeys(numbers) if numbers.count(number) > 1]:
            raise SettingsError(f"seeds={wanted}: {repeated[0]} is listed twice; list each seed once")
        if self.axis == "fold" and max(numbers) >= self.n:
            raise SettingsError(f"seeds={wanted}: there is no fold {max(numbers)}; there are 0 to {self.n - 1}")
        return numbers

    def first_numbers(self, count: int) -> list[int]:
        """Return the numbers of the first `count` replicates."""
        return list(range(self.first, self.first + count))
