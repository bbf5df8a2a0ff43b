"""Trees in files of their own, such as those of the authors of vector-entailment for SICK.

A line holds, separated by tabs, a label, the tree of the first sentence, the tree of the second, and further columns
that are ignored. Lines that begin with % are comments. Trees are found by their words, since the order of the rows may
differ from that of the data set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from attest.data.files.source import MAX_LINE_BYTES, Source
from attest.data.readers.example import Example
from attest.data.readers.fields import split_columns
from attest.syntax.trees import from_unlabelled

COMMENT = "%"
SIDES = 2


class Parses:
    """The trees of several files, by sentence. The first tree of a sentence is used."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self.parse_of: dict[str, str] = {}
        for source in sources:
            for number, line in source.lines():
                if not line.startswith(COMMENT):
                    self.read_line(source, number, line)

    def read_line(self, source: Source, number: int, line: str) -> None:
        """Add the trees of both sentences of a line, unless they have a tree already."""
        at_least = range(1 + SIDES, MAX_LINE_BYTES)
        cells = split_columns(source, number, line, at_least, f"a label and {SIDES} trees separated by tabs")
        for parse in cells[1 : 1 + SIDES]:
            try:
                words = from_unlabelled(parse).words
            except ValueError as error:
                raise source.error(number, f"{error}; a tree looks like ( ( A man ) ( runs . ) )") from error
            self.parse_of.setdefault(without_spaces(words), parse)

    def add_parses(self, example: Example) -> Example:
        """Return the example, with trees of these files for its sentences that have none; some may still lack one."""
        parses = (
            self.parse_of.get(without_spaces([sentence])) if parse is None else parse
            for sentence, parse in zip(example.sentences, example.parses, strict=True)
        )
        return replace(example, parses=tuple(parses))


def without_spaces(words: Iterable[str]) -> str:
    """Return a sentence without spaces, so that sentences can be compared whatever their tokens."""
    return "".join(words).replace(" ", "")
