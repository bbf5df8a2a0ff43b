"""A text, a tab and its class: SST-2 with the phrases of its training trees, in the files of SentEval."""

from collections.abc import Iterator, Sequence

from attest.corpora.example import Example
from attest.corpora.files import Source


def read_tabbed(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every row of the file. `labels` name the classes 0, 1, 2, ..."""
    for number, line in source.lines():
        text, tab, digits = line.rpartition("\t")
        if not tab or not (digits.isascii() and digits.isdigit()):
            raise source.error(number, f"expected a text, a tab and a class, got {line[:40]!r}")
        if int(digits) >= len(labels):
            raise source.error(number, f"class {digits} is none of 0 to {len(labels) - 1}")
        yield Example(row=number - 1, label=labels[int(digits)], sentences=(text,), parses=(None,))
