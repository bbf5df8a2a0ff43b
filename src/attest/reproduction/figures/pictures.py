"""The files of a picture: their formats, and the fingerprint of the records that the picture was drawn from."""

from collections.abc import Iterable
from pathlib import Path

from attest.runs.identity import digest

PICTURE_SUFFIXES = ("svg", "png")
"""The suffixes of the files that every picture is written to, without the dot."""
BYTES_WITH_FINGERPRINT = 4000
"""The number of bytes at the beginning of a picture among which its fingerprint is."""


def picture_fingerprint(ids: Iterable[str]) -> str:
    """Return the fingerprint of a picture that is drawn from the records with these ids.

    It is the id of the first element of an SVG file, and the description of a PNG file.
    """
    return f"records-{digest(sorted(set(ids)))}"


def is_drawn_from(path: Path, ids: Iterable[str]) -> bool:
    """Return whether a picture was drawn from the records with these ids."""
    with path.open("rb") as file:
        return picture_fingerprint(ids).encode() in file.read(BYTES_WITH_FINGERPRINT)
