"""Pairs of sentences and whether they say the same: the Microsoft Research Paraphrase Corpus (Dolan et al. 2004)."""

from collections.abc import Iterator, Sequence

from attest.data.files import Source
from attest.data.readers.example import Example

NAMES = ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")
MARK = "\ufeff"
"""Some copies begin with it, as a sign of UTF-8."""


def read_mrpc(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every pair of the file. `labels` name the classes 0 and 1. Quotation marks are text."""
    for number, line in source.lines():
        cells = line.split("\t")
        if number == 1:
            if tuple(line.removeprefix(MARK).split("\t")) != NAMES:
                raise source.error(1, f"the first line has to name the columns: {', '.join(NAMES)}")
            continue
        if len(cells) != len(NAMES):
            raise source.error(number, f"expected {len(NAMES)} columns parted by tabs, got {len(cells)}")
        quality, _, _, first, second = cells
        if quality not in ("0", "1"):
            raise source.error(number, f"Quality {quality!r} is neither 0 nor 1")
        yield Example(row=number - 2, label=labels[int(quality)], sentences=(first, second), parses=(None, None))
