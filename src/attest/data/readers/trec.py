"""TREC: questions and the type of their answers (Li and Roth 2002), as in 'NUM:dist How far is it to the barn ?'."""

import re
from collections.abc import Iterator, Sequence

from attest.data.files.source import Source
from attest.data.readers.example import Example
from attest.data.readers.fields import excerpt, not_one_of

ROW = re.compile(r"([^:\s]+):([^:\s]+) (.*\S.*)")
"""The pattern of a line: coarse class, fine class, question."""


def read_trec(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every question of the file, with its coarse class."""
    for number, line in source.lines():
        row = ROW.fullmatch(line)
        if row is None:
            raise source.error(number, f"expected 'CLASS:kind a question', got {excerpt(line)}")
        label, _, question = row.groups()
        if label not in labels:
            raise source.error(number, not_one_of("class", label, labels))
        yield Example(source, number, row=number - 1, label=label, sentences=(question,))
