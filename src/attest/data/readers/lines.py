"""Formats of SentEval (Conneau and Kiela 2018) with a text on each line.

MR, CR, SUBJ and MPQA have a file for each class; the lines of SST end with a tab and the class.
"""

from collections.abc import Iterator, Sequence

from attest.data.files import Source
from attest.data.readers.example import Example


def read_lines(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every line of a file with a single class, which is the only one in `labels`. Empty lines are examples."""
    (label,) = labels
    for number, line in source.lines():
        yield Example(row=number - 1, label=label, sentences=(line,), parses=(None,))


def read_tabbed(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every line of a file of texts and classes; `labels` are the names of the classes 0, 1, 2, ..."""
    for number, line in source.lines():
        text, tab, digits = line.rpartition("\t")
        if not tab or not (digits.isascii() and digits.isdigit()):
            raise source.error(number, f"expected a text, a tab and a class, got {line[:40]!r}")
        if int(digits) >= len(labels):
            raise source.error(number, f"class {digits} is not from 0 to {len(labels) - 1}")
        yield Example(row=number - 1, label=labels[int(digits)], sentences=(text,), parses=(None,))
