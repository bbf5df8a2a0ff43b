"""The parts of a format of official files: sound files, the package's reader, a reader that is right, and damages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz import row_damages as rows
from fuzz.damages import ANY_BYTES, ANY_TEXT, ODD_TEXT, Damage

Rows = Sequence[object]


@dataclass(frozen=True)
class Format:
    """A format, with sound files."""

    files: Mapping[str, bytes]
    """File name -> sound content. A damaged file is any of them; the first is the one that is read."""
    read: Callable[[Path], Rows]
    """The package's reader of a folder with these files."""
    right: Callable[[Mapping[str, bytes]], Rows]
    """The right reader of these files."""
    damages: Sequence[Damage]

    def damages_of(self, name: str) -> list[Damage]:
        """Return the damages to a file, those of its rows and those of any text or of any bytes."""
        if name.endswith(".bin"):
            return [*self.damages, *ANY_BYTES]
        own = [rows.tag_changed, rows.defined_entity] if name.endswith(".xml") else [*self.damages]
        return [*own, *ANY_TEXT, *ODD_TEXT, *ANY_BYTES, *ANY_BYTES]


def text(lines, encoding: str = "utf-8") -> bytes:
    """Return the content of a file with these lines."""
    return "".join(line + "\n" for line in lines).encode(encoding)
