"""Samples of one class, one a line: MR, CR, SUBJ and MPQA in the files of SentEval (Conneau and Kiela 2018)."""

from collections.abc import Iterator, Sequence

from attest.corpora.example import Example
from attest.corpora.files import Source


def read_lines(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every line of the file, also empty ones: they are samples. `labels` holds the class of the file alone."""
    (label,) = labels
    for number, line in source.lines():
        yield Example(row=number - 1, label=label, sentences=(line,), parses=(None,))
