"""Pairs of sentences with how alike they are, from 0 to 5, in the files of SemEval's STS tasks (Agirre et al. 2014).

The pairs and their scores stand in two files with a line for each pair; an empty score means that there is none.
"""

from collections.abc import Iterator
from itertools import zip_longest

from attest.corpora.example import Example
from attest.corpora.files import Source

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
            score = scores.number(number, text, LOWEST, HIGHEST)
            yield Example(number - 1, None, (sentences[0], sentences[1]), (None, None), score=score)
