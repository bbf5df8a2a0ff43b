"""What every reader yields: one labelled text, of one sentence or two."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """One row of an official file, as it stands there."""

    row: int
    """Row in the official file, counted from 0."""
    label: str | None
    """None where the annotators did not agree."""
    sentences: tuple[str, ...]
    parses: tuple[str | None, ...]
    """Binary parse of each sentence, '( ( A man ) ( runs . ) )', where the file has one."""
    genre: str | None = None
