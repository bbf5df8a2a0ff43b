"""Generated sentence pairs in the formats of MRPC, of STS 2014 and of the STS Benchmark."""

import random
from collections.abc import Iterator

from attest.data.files.source import MARK
from attest.data.mini.relatedness import RelatedPair, draw_related_pair
from attest.data.readers.mrpc import NAMES

SAME = "ENTAILMENT"
SOURCES = (("main-captions", "images"), ("main-news", "headlines"))
"""The genres and sources of the STS Benchmark's rows, which alternate."""
WITH_ORIGIN = 20
"""Every 20th row of the STS Benchmark also names the origins of its sentences."""
UNSCORED = 50
"""Every 50th pair has no score, as in some data sets of STS."""


def mrpc_lines(rng: random.Random, size: int) -> Iterator[str]:
    """Yield the lines of a file of MRPC, where two pairs in three have equal meaning, as in MRPC."""
    yield MARK + "\t".join(NAMES)
    for number in range(size):
        says_same = rng.random() < 2 / 3
        drawn = draw_related_pair(rng)
        while (drawn.label == SAME) != says_same:
            drawn = draw_related_pair(rng)
        yield "\t".join([str(int(says_same)), str(2 * number), str(2 * number + 1), drawn.first, drawn.second])


def sts_lines(pairs: list[RelatedPair]) -> Iterator[str]:
    """Yield the lines of a file of pairs of STS 2014."""
    for pair in pairs:
        yield f"{pair.first}\t{pair.second}"


def sts_scores(pairs: list[RelatedPair]) -> Iterator[str]:
    """Yield the lines of a file of scores of STS 2014."""
    for number, pair in enumerate(pairs, 1):
        yield "" if number % UNSCORED == 0 else f"{rescale_to_0(pair.score):.3g}"


def stsb_lines(pairs: list[RelatedPair]) -> Iterator[str]:
    """Yield the lines of a file of the STS Benchmark."""
    for number, pair in enumerate(pairs):
        genre, source = SOURCES[number % len(SOURCES)]
        cells = [genre, source, "mini", f"{number:04d}", f"{rescale_to_0(pair.score):.3f}", pair.first, pair.second]
        yield "\t".join([*cells, *(["MINI"] * 2 if number % WITH_ORIGIN == 0 else [])])


def rescale_to_0(score: float) -> float:
    """Return a score of SICK, from 1 to 5, on the scale from 0 to 5 of STS."""
    return (score - 1) * 1.25
