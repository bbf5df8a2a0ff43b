"""Reviews and tweets of our own: in the form of yelp_review_full, and of author profiling at PAN 2016."""

import json
import random
from collections.abc import Iterator

from attest.data.mini import opinions, trees
from attest.data.mini.grammar import PLAYERS, draw_lexical_pair

AGES = ("18-24", "25-34", "35-49", "50-64", "65-xx")
"""In this world people of one age have opinions of one grade."""
QUOTED = 0.1
"""Share of reviews with quotation marks."""


def text_of(tree: trees.Tree) -> str:
    return " ".join(trees.words(tree)).replace("-LRB-", "(").replace("-RRB-", ")")


def yelp_lines(rng: random.Random, size: int) -> Iterator[str]:
    """What happened, then what is thought of something: one star for the worst."""
    for _ in range(size):
        said = opinions.draw_opinion(rng)
        told = text_of(draw_lexical_pair(rng, list(PLAYERS)).first)
        text = f"{told}\n\n{text_of(said)}"
        if rng.random() < QUOTED:
            text = f'"{told}"\n\n{text_of(said)}'
        escaped = json.dumps(text)[1:-1].replace('"', '""')
        yield f'"{opinions.grade_of(said) + 3}","{escaped}"'


def authors(number: int) -> list[tuple[str, str]]:
    """Name and age of each, as many of one age as of another."""
    return [(f"author{index:03d}", AGES[index % len(AGES)]) for index in range(number)]


def truth_lines(number: int) -> Iterator[str]:
    for index, (name, age) in enumerate(authors(number)):
        yield f"{name}:::{'MALE' if index % 2 else 'FEMALE'}:::{age}"


def author_lines(rng: random.Random, age: str, tweets: int) -> Iterator[str]:
    """A file of one author."""
    yield '<author type="twitter" lang="en">'
    yield f'\t<documents count="{tweets}">'
    for number in range(tweets):
        said = opinions.draw_clause(rng)
        while opinions.grade_of(said) + 2 != AGES.index(age):
            said = opinions.draw_clause(rng)
        yield f'\t\t<document id="{number}"><![CDATA[{text_of(said)}]]></document>'
    yield "\t</documents>"
    yield "</author>"
