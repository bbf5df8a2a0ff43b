"""Pairs of sentences with how alike they are, from 0 to 5, in the files of SemEval's STS tasks (Agirre et al. 2014).

The pairs and their scores stand in two files with a line for each pair; an empty score means that there is none.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from attest.data.files import Source
from attest.data.readers.example import Example

LOWEST, HIGHEST = 0.0, 5.0


def read_sts(pairs: Source, scores: Source) -> Iterator[Example]:
    """Every pair that has a score."""
    for one, other in zip_longest(pairs.lines(), scores.lines()):
        if one is None:
            raise scores.error(other[0], f"{pairs.path.name} has no such line")
        if other is None:
            raise pairs.error(one[0], f"{scores.path.name} has no such line")
        (number, line), (_, text) = one, other
        sentences = line.split("\t")
        if len(sentences) != 2:
            raise pairs.error(number, f"expected two sentences parted by a tab, got {line[:40]!r}")
        if text.strip():
            score = scores.parse_number(number, text, LOWEST, HIGHEST)
            yield Example(number - 1, None, (sentences[0], sentences[1]), (None, None), score=score)


COLUMNS = (7, 9)


def read_stsb(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every pair of the file; `labels` name the grades 0 to 5, and a pair has the one next to its score. What counts as
    its genre is the source (MSRpar, headlines, ...). Quotation marks are text."""
    for number, line in source.lines():
        cells = line.split("\t")
        if len(cells) not in COLUMNS:
            raise source.error(number, f"expected {' or '.join(map(str, COLUMNS))} columns, got {len(cells)}")
        score = source.parse_number(number, cells[4], LOWEST, HIGHEST)
        yield Example(
            row=number - 1,
            label=labels[int(score + 0.5)],
            sentences=(cells[5], cells[6]),
            parses=(None, None),
            genre=cells[1],
            score=score,
        )
