"""The Microsoft Research Paraphrase Corpus: pairs of sentences with or without equal meaning (Dolan et al. 2004)."""

from collections.abc import Iterator, Sequence

from attest.data.files import Source
from attest.data.readers.example import Example

NAMES = ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")
MARK = "\ufeff"
"""The byte order mark with which some copies begin."""


def read_mrpc(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every pair of the file. `labels` are the names of the classes 0 and 1. Quotation marks are text."""
    for number, line in source.lines():
        cells = line.split("\t")
        if number == 1:
            if tuple(line.removeprefix(MARK).split("\t")) != NAMES:
                raise source.error(
                    1, f"the first line must hold the column names {', '.join(NAMES)}, with tabs between"
                )
            continue
        if len(cells) != len(NAMES):
            raise source.error(number, f"expected {len(NAMES)} columns separated by tabs, got {len(cells)}")
        quality, _, _, first, second = cells
        if quality not in ("0", "1"):
            raise source.error(number, f"Quality {quality!r} is neither 0 nor 1")
        yield Example(row=number - 2, label=labels[int(quality)], sentences=(first, second), parses=(None, None))
