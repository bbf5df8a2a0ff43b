"""Pairs of sentences of our own that say the same or nearly, in the forms of MRPC, of STS 2014 and of the STS
Benchmark."""

import random
from collections.abc import Iterator

from attest.data.mini.relatedness import Pair, draw_pair
from attest.data.readers.mrpc import MARK, NAMES

SAME = "ENTAILMENT"
SOURCES = (("main-captions", "images"), ("main-news", "headlines"))
"""Genre and source, in turn."""
WITH_ORIGIN = 20
"""One row in so many says whence its sentences come."""
UNSCORED = 50
"""One pair in so many has no score, as in some sets of STS."""


def mrpc_lines(rng: random.Random, size: int) -> Iterator[str]:
    """Two pairs in three say the same, as in MRPC."""
    yield MARK + "\t".join(NAMES)
    for number in range(size):
        says_same = rng.random() < 2 / 3
        drawn = draw_pair(rng)
        while (drawn.label == SAME) != says_same:
            drawn = draw_pair(rng)
        yield "\t".join([str(int(says_same)), str(2 * number), str(2 * number + 1), drawn.first, drawn.second])


def sts_lines(pairs: list[Pair]) -> Iterator[str]:
    for one in pairs:
        yield f"{one.first}\t{one.second}"


def sts_scores(pairs: list[Pair]) -> Iterator[str]:
    """From 0 to 5, where SICK's go from 1 to 5."""
    for number, one in enumerate(pairs, 1):
        yield "" if number % UNSCORED == 0 else f"{rescale_to_0(one.score):.3g}"


def stsb_lines(pairs: list[Pair]) -> Iterator[str]:
    for number, one in enumerate(pairs):
        genre, source = SOURCES[number % len(SOURCES)]
        cells = [genre, source, "mini", f"{number:04d}", f"{rescale_to_0(one.score):.3f}", one.first, one.second]
        yield "\t".join([*cells, *(["MINI"] * 2 if number % WITH_ORIGIN == 0 else [])])


def rescale_to_0(score: float) -> float:
    """From 0 to 5 what goes from 1 to 5."""
    return (score - 1) * 1.25
