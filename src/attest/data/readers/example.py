"""What every reader yields: one labelled text, of one sentence or two."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """A labelled part of a sentence: its words from `start` up to, not including, `end`."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Example:
    """One row of an official file, as it stands there."""

    row: int
    """Row in the official file, counted from 0; a line with the names of the columns does not count."""
    label: str | None
    """None where the annotators did not agree."""
    sentences: tuple[str, ...]
    parses: tuple[str | None, ...]
    """Binary parse of each sentence, '( ( A man ) ( runs . ) )', where the file has one."""
    labelled_parses: tuple[str | None, ...] = ()
    """The same in the form of the Penn Treebank, '(S (NP (DT A) (NN man)) ...)', where the file has them."""
    genre: str | None = None
    name: str | None = None
    """What the file itself calls this row, where it does: pairID."""
    score: float | None = None
    """A grade beside the label, where the file has one: SICK's relatedness."""
    split: str | None = None
    """The split that the row itself names, where one file holds all of them."""
    phrases: tuple[Phrase, ...] = ()
    """The parts of the sentence that have labels of their own, where the file has them; its words are parted by
    single spaces then."""
