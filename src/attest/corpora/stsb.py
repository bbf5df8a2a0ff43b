"""Pairs of sentences with how alike they are, from 0 to 5: the STS Benchmark (Cer et al. 2017).

Columns parted by tabs, without names: genre, source, year, number, score, two sentences, and in some rows whence each
of the two comes.
"""

from collections.abc import Iterator, Sequence

from attest.corpora.example import Example
from attest.corpora.files import Source
from attest.corpora.sts import HIGHEST, LOWEST

COLUMNS = (7, 9)


def read_stsb(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every pair of the file; `labels` name the grades 0 to 5, and a pair has the one next to its score. What counts as
    its genre is the source (MSRpar, headlines, ...). Quotation marks are text."""
    for number, line in source.lines():
        cells = line.split("\t")
        if len(cells) not in COLUMNS:
            raise source.error(number, f"expected {' or '.join(map(str, COLUMNS))} columns, got {len(cells)}")
        score = source.number(number, cells[4], LOWEST, HIGHEST)
        yield Example(
            row=number - 1,
            label=labels[int(score + 0.5)],
            sentences=(cells[5], cells[6]),
            parses=(None, None),
            genre=cells[1],
            score=score,
        )
