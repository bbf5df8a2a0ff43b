"""Word vectors of our own in GloVe's form; words that play the same part lie near each other."""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping

SIZE = 24


def vector_lines(parts: Mapping[str, Iterable[str]], without: Collection[str]) -> Iterator[str]:
    """A vector per word, part by part, but for the words in `without`; the first part of a word counts."""
    done = set(without)
    for part, members in parts.items():
        centre = gaussians(f"part {part}")
        for word in members:
            if word not in done:
                done.add(word)
                own = gaussians(f"word {word}")
                numbers = (0.3 * c + 0.4 * o for c, o in zip(centre, own, strict=True))
                yield " ".join([word, *(f"{number:.5f}" for number in numbers)])


def gaussians(name: str) -> list[float]:
    rng = random.Random(name)
    return [rng.gauss(0.0, 1.0) for _ in range(SIZE)]
