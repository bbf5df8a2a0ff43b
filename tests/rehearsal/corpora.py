"""Files of the official size and format, made by the built-in grammar, to rehearse what full corpora cost."""

import random
from collections.abc import Iterator
from pathlib import Path

from attest.data.mini import grammar, profiles
from attest.data.mini.write import multinli_lines, snli_lines

SNLI = {"train": 550_152, "dev": 10_000, "test": 10_000}
MULTINLI = {"train": 392_702, "dev_matched": 9_815, "dev_mismatched": 9_832}
REVIEWS, PARTS = 650_000, 11
"""The number of reviews, and the number of generated reviews that one as long as the official ones is made of."""
GLOVE_WORDS, GLOVE_SIZE = 2_196_017, 300
DISTINCT = 20_000
"""The number of different pairs; a longer file repeats them, since drawing takes longer than all that is rehearsed."""


def scaled(number: int, share: float) -> int:
    """Return a share of a number, and at least 200."""
    return max(200, round(number * share))


def pair_lines(name: str, number: int) -> Iterator[str]:
    """Yield `number` rows of SNLI."""
    lines = list(snli_lines(random.Random(name), min(number, DISTINCT), rare=False))
    for place in range(number):
        yield lines[place % len(lines)]


def review_lines(number: int) -> Iterator[str]:
    """Yield `number` rows of Yelp's reviews, each with the stars of its first part."""
    parts = list(profiles.yelp_lines(random.Random("yelp"), PARTS * min(number, DISTINCT // PARTS)))
    long = []
    for first in range(0, len(parts), PARTS):
        texts = [row.partition(",")[2].strip('"') for row in parts[first : first + PARTS]]
        long.append(f'{parts[first].partition(",")[0]},"{" ".join(texts)}"')
    for place in range(number):
        yield long[place % len(long)]


def write_corpora(data: Path, share: float) -> None:
    """Write the pairs of SNLI and MultiNLI, Yelp's reviews, and a GloVe file, below a data folder."""
    for split, number in SNLI.items():
        write(data / f"snli/snli_1.0_{split}.jsonl", pair_lines(f"snli {split}", scaled(number, share)))
    for split, number in MULTINLI.items():
        lines = multinli_lines(pair_lines(f"multinli {split}", scaled(number, share)))
        write(data / f"multinli/multinli_1.0_{split}.jsonl", lines)
    write(data / "yelp/train.csv", review_lines(scaled(REVIEWS, share)))
    write(data / "glove/glove.840B.300d.txt", vector_lines(scaled(GLOVE_WORDS, share)))


def vector_lines(number: int) -> Iterator[str]:
    """Yield lines of a GloVe file: the words of the grammar, and as many others as it takes."""
    rng = random.Random("vectors")
    numbers = [" ".join(f"{rng.gauss(0, 0.4):.5g}" for _ in range(GLOVE_SIZE)) for _ in range(500)]
    words = dict.fromkeys(
        [*grammar.PLACES, *grammar.ADJECTIVES, *(n for k in grammar.KINDS.values() for n in k), "the"]
    )
    for place, word in enumerate(words):
        yield f"{word} {numbers[place]}"
    for place in range(number - len(words)):
        yield f"w{place} {numbers[place % len(numbers)]}"


def write(path: Path, lines: Iterator[str]) -> None:
    """Write lines to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
