"""Generated reviews and tweets in the formats of yelp_review_full and of author profiling at PAN 2016."""

import json
import random
from collections.abc import Iterator

from attest.data.mini import opinions, trees
from attest.data.mini.grammar import PLAYERS, draw_lexical_pair

AGES = ("18-24", "25-34", "35-49", "50-64", "65-xx")
"""The age groups. The opinions of all authors of a group have the same grade, so that the task can be learned."""
QUOTED = 0.1
"""The share of reviews with quotation marks."""


def text_of(tree: trees.Tree) -> str:
    """Return the words of a tree as text with plain brackets."""
    return " ".join(trees.words(tree)).replace("-LRB-", "(").replace("-RRB-", ")")


def yelp_lines(rng: random.Random, size: int) -> Iterator[str]:
    """Yield csv rows of reviews: an event, then an opinion, with the opinion's grade as 1 to 5 stars."""
    for _ in range(size):
        opinion = opinions.draw_opinion(rng)
        event = text_of(draw_lexical_pair(rng, list(PLAYERS)).first)
        text = f"{event}\n\n{text_of(opinion)}"
        if rng.random() < QUOTED:
            text = f'"{event}"\n\n{text_of(opinion)}'
        escaped = json.dumps(text)[1:-1].replace('"', '""')
        yield f'"{opinions.grade_of(opinion) + 3}","{escaped}"'


def authors(number: int) -> list[tuple[str, str]]:
    """Return the names and ages of all authors, with equal numbers of each age."""
    return [(f"author{index:03d}", AGES[index % len(AGES)]) for index in range(number)]


def truth_lines(number: int) -> Iterator[str]:
    """Yield the lines of the list of authors."""
    for index, (name, age) in enumerate(authors(number)):
        yield f"{name}:::{'MALE' if index % 2 else 'FEMALE'}:::{age}"


def author_lines(rng: random.Random, age: str, tweets: int) -> Iterator[str]:
    """Yield the lines of an author's XML file."""
    yield '<author type="twitter" lang="en">'
    yield f'\t<documents count="{tweets}">'
    for number in range(tweets):
        tweet = opinions.draw_clause(rng)
        while opinions.grade_of(tweet) + 2 != AGES.index(age):
            tweet = opinions.draw_clause(rng)
        yield f'\t\t<document id="{number}"><![CDATA[{text_of(tweet)}]]></document>'
    yield "\t</documents>"
    yield "</author>"
