"""Generated word vectors in GloVe's format; words of the same group have similar vectors."""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping

SIZE = 24


def vector_lines(groups: Mapping[str, Iterable[str]], without: Collection[str]) -> Iterator[str]:
    """Yield the line of each word in the groups, except for `without`; a word in two groups belongs to the first."""
    done = set(without)
    for group, members in groups.items():
        centre = gaussians(f"part {group}")
        for word in members:
            if word not in done:
                done.add(word)
                own = gaussians(f"word {word}")
                numbers = (0.3 * c + 0.4 * o for c, o in zip(centre, own, strict=True))
                yield " ".join([word, *(f"{number:.5f}" for number in numbers)])


def gaussians(name: str) -> list[float]:
    """Return SIZE standard normal numbers, with the name as their seed."""
    rng = random.Random(name)
    return [rng.gauss(0.0, 1.0) for _ in range(SIZE)]
