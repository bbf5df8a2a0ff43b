"""Constraints on the values of settings, in Annotated types."""

from dataclasses import dataclass
from typing import Any

from attest.errors import SettingsError


@dataclass(frozen=True)
class Range:
    """The bounds of a number, as in Annotated[float, Range(0, 1)]. An open bound is not itself an allowed value."""

    low: float = float("-inf")
    high: float = float("inf")
    open_low: bool = False
    open_high: bool = False

    def check(self, value: float, where: str) -> None:
        """Raise SettingsError, with the key `where`, if the value is out of range."""
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        if not (above and below):
            raise SettingsError(f"{where}: {value} is out of range; type a number {self.words()}")

    def words(self) -> str:
        """Return the range in words, such as "from 0 to 1"."""
        low = f"{'above' if self.open_low else 'from'} {self.low:.12g}"
        if self.high == float("inf"):
            return low if self.open_low else f"{low} on"
        return f"{low} to {'below ' if self.open_high else ''}{self.high:.12g}"


Positive = Range(0, open_low=True)
AtLeastOne = Range(1)


class Synonyms:
    """The names of other programs for values of a setting, as in Annotated[Literal["gpu"], Synonyms(cuda="gpu")]."""

    def __init__(self, **names: str) -> None:
        self.names = names

    def check(self, value: Any, where: str) -> None:
        """Raise SettingsError, with the key `where` and the right name, if the value is a synonym."""
        name = str(value).partition(":")[0].lower()
        if name in self.names:
            raise SettingsError(f"{where}: {value!r} has another name here. Did you mean {self.names[name]}?")


class FolderName:
    """The rule that the name of a folder is not empty, as in Annotated[str, FolderName()]."""

    def check(self, value: str, where: str) -> None:
        """Raise SettingsError, with the key `where`, if the name is empty or holds only spaces."""
        if not value.strip():
            raise SettingsError(f"{where}: the value is empty; type {where}=FOLDER, or leave the setting out")


class DottedName:
    """The rule that a text is the full name of a class or function, as in Annotated[str, DottedName()]."""

    def check(self, value: str, where: str) -> None:
        """Raise SettingsError, with the key `where`, if the text is no name such as package.Class."""
        if not all(part.isidentifier() for part in value.split(".")) or "." not in value:
            raise SettingsError(f"{where}: expected the name of a class, as package.Class, got {value!r}")
