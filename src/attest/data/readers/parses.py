"""Trees that somebody gave out beside a set whose own files have none: SICK's, by the authors of vector-entailment.

A line is label, parse of the first sentence, parse of the second, and more that is not needed, parted by tabs; lines
that begin with % are comments. Rows may stand in another order than the set's, so a parse is found by its words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from attest.data.files import Source
from attest.data.readers.example import Example
from attest.syntax.trees import from_binary

COMMENT = "%"
SIDES = 2


class Parses:
    """Sentence -> binary parse. Where several parses of one sentence are given, the first one counts."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self.parse_of: dict[str, str] = {}
        for source in sources:
            for number, line in source.lines():
                if not line.startswith(COMMENT):
                    self.read_line(source, number, line)

    def read_line(self, source: Source, number: int, line: str) -> None:
        cells = line.split("\t")
        if len(cells) < 1 + SIDES:
            raise source.error(number, f"expected a label and {SIDES} parses parted by tabs, got {len(cells)} columns")
        for parse in cells[1 : 1 + SIDES]:
            try:
                words = from_binary(parse).words
            except ValueError as error:
                raise source.error(number, f"{error}; a parse looks like ( ( A man ) ( runs . ) )") from error
            self.parse_of.setdefault(without_spaces(words), parse)

    def add_parses(self, example: Example) -> Example:
        """The same example with the parses that its own file lacks."""
        found = (
            self.parse_of.get(without_spaces([sentence])) if parse is None else parse
            for sentence, parse in zip(example.sentences, example.parses, strict=True)
        )
        return replace(example, parses=tuple(found))


def without_spaces(words: Iterable[str]) -> str:
    """A sentence without the spaces that tokens are parted by."""
    return "".join(words).replace(" ", "")
