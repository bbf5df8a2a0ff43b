"""Semantic textual similarity: sentence pairs with scores from 0 to 5.

The data sets of SemEval's STS tasks (Agirre et al. 2014) hold the pairs in one file and their scores in another, with
a line for each pair; an empty line means that a pair has no score. The STS Benchmark holds both in one file.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from attest.data.files.source import Source
from attest.data.readers.example import Example
from attest.data.readers.fields import parse_decimal, split_columns

LOWEST, HIGHEST = 0.0, 5.0


def read_sts(pairs: Source, scores: Source) -> Iterator[Example]:
    """Yield the pairs with a score."""
    for pair_line, score_line in zip_longest(pairs.lines(), scores.lines()):
        if pair_line is None:
            raise scores.error(score_line[0], f"{pairs.path.name} ends before this line")
        if score_line is None:
            raise pairs.error(pair_line[0], f"{scores.path.name} ends before this line")
        (number, line), (_, text) = pair_line, score_line
        first, second = split_columns(pairs, number, line, (2,), "two sentences separated by a tab")
        if text:
            score = parse_decimal(scores, number, text, LOWEST, HIGHEST)
            yield Example(pairs, number, number - 1, None, (first, second), score=score)


COLUMNS = (7, 9)
"""The possible numbers of columns: some rows also name the origins of both sentences."""


def read_stsb(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every pair of the STS Benchmark; quotation marks are text.

    `labels` are the names of the whole scores from 0 to 5, and the label of a pair is its score rounded half up. The
    source of a pair, such as headlines, is its genre.
    """
    for number, line in source.lines():
        cells = split_columns(source, number, line, COLUMNS)
        score = parse_decimal(source, number, cells[4], LOWEST, HIGHEST)
        yield Example(
            source,
            number,
            row=number - 1,
            label=labels[int(score + 0.5)],
            sentences=(cells[5], cells[6]),
            genre=cells[1],
            score=score,
        )
