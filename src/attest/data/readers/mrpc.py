"""The Microsoft Research Paraphrase Corpus: pairs of sentences with or without equal meaning (Dolan et al. 2004)."""

from collections.abc import Iterator, Sequence

from attest.data.files.source import Source
from attest.data.readers.example import Example
from attest.data.readers.fields import check_header, not_one_of, numbered_classes, split_columns

NAMES = ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")


def read_mrpc(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every pair of the file. `labels` are the names of the classes 0 and 1. Quotation marks are text."""
    classes = numbered_classes(labels)
    for number, line in source.lines():
        if number == 1:
            check_header(source, line, [NAMES])
            continue
        quality, _, _, first, second = split_columns(source, number, line, (len(NAMES),))
        if quality not in classes:
            raise source.error(number, not_one_of("Quality", quality, classes))
        yield Example(source, number, row=number - 2, label=classes[quality], sentences=(first, second))
