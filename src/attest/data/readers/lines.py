"""Samples of one class, one a line: MR, CR, SUBJ and MPQA in the files of SentEval (Conneau and Kiela 2018)."""

from collections.abc import Iterator, Sequence

from attest.data.files import Source
from attest.data.readers.example import Example


def read_lines(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every line of the file, also empty ones: they are samples. `labels` holds the class of the file alone."""
    (label,) = labels
    for number, line in source.lines():
        yield Example(row=number - 1, label=label, sentences=(line,), parses=(None,))


def read_tabbed(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every row of the file. `labels` name the classes 0, 1, 2, ..."""
    for number, line in source.lines():
        text, tab, digits = line.rpartition("\t")
        if not tab or not (digits.isascii() and digits.isdigit()):
            raise source.error(number, f"expected a text, a tab and a class, got {line[:40]!r}")
        if int(digits) >= len(labels):
            raise source.error(number, f"class {digits} is none of 0 to {len(labels) - 1}")
        yield Example(row=number - 1, label=labels[int(digits)], sentences=(text,), parses=(None,))
