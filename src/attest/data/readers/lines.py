"""Formats of SentEval (Conneau and Kiela 2018) with a text on each line.

MR, CR, SUBJ and MPQA have a file for each class; the lines of SST end with a tab and the class.
"""

from collections.abc import Iterator, Sequence

from attest.data.files.source import Source
from attest.data.readers.example import Example
from attest.data.readers.fields import not_one_of, numbered_classes, split_columns


def read_lines(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every line of a file with a single class, which is the only one in `labels`. Empty lines are examples."""
    (label,) = labels
    for number, line in source.lines():
        yield Example(source, number, row=number - 1, label=label, sentences=(line,))


def read_tabbed(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every line of a file of texts and classes; `labels` are the names of the classes 0, 1, 2, ..."""
    classes = numbered_classes(labels)
    for number, line in source.lines():
        text, digits = split_columns(source, number, line, (2,), "a text, a tab and a class")
        if digits not in classes:
            raise source.error(number, not_one_of("class", digits, classes))
        yield Example(source, number, row=number - 1, label=classes[digits], sentences=(text,))
