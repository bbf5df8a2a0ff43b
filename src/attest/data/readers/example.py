"""The examples that all readers yield: labelled sentences or pairs of sentences."""

from dataclasses import dataclass, field

from attest.data.files.source import Source
from attest.errors import DataError


@dataclass(frozen=True, slots=True)
class Phrase:
    """A labelled phrase of a sentence: its words from `start` up to, not including, `end`."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Example:
    """A row of an official file, with its text unchanged."""

    source: Source = field(repr=False, compare=False)
    """The file that holds the text, such as the author's file of tweets."""
    line: int = field(repr=False, compare=False)
    """The line of `source` where the text begins, counted from 1."""
    row: int
    """The row in the official file, counted from 0 without the line of column names."""
    label: str | None
    """The class; None if the annotators did not agree."""
    sentences: tuple[str, ...]
    parses: tuple[str | None, ...] = ()
    """The tree of each sentence without labels, such as '( ( A man ) ( runs . ) )', binary or not; None if the file has
    none. Without this argument, no sentence has a tree."""
    labelled_parses: tuple[str | None, ...] = ()
    """The tree of each sentence with labels, such as '(S (NP (DT A) (NN man)) ...)'; None or empty if the file has
    none."""
    genre: str | None = None
    name: str | None = None
    """The file's own identifier of the row, such as SNLI's pairID; None if there is none."""
    score: float | None = None
    """A score such as SICK's relatedness; None if the file has none."""
    split: str | None = None
    """The split that the row names; None unless one file holds all splits."""
    fold: int | None = None
    """The number of the fold that the row names; None if the file has no column of folds."""
    phrases: tuple[Phrase, ...] = ()
    """The labelled phrases of the sentence, whose words single spaces then separate; empty if the file has none."""

    def __post_init__(self) -> None:
        if not self.parses:
            object.__setattr__(self, "parses", (None,) * len(self.sentences))

    def error(self, message: str) -> DataError:
        """Return an error at the example's line."""
        return self.source.error(self.line, message)
