"""The mark by which a picture says which records it was drawn from."""

from collections.abc import Iterable
from pathlib import Path

from attest.runs.identity import digest

HEAD = 4000
"""The number of characters of an SVG file in which its first element ends."""


def picture_mark(ids: Iterable[str]) -> str:
    """Return the id of the first element of an SVG picture that is drawn from the records with these ids."""
    return f"records-{digest(sorted(set(ids)))}"


def is_drawn_from(path: Path, ids: Iterable[str]) -> bool:
    """Return whether an SVG picture was drawn from the records with these ids."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return f'id="{picture_mark(ids)}"' in file.read(HEAD)
