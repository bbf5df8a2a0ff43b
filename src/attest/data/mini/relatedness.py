"""Generated sentence pairs with relatedness and entailment labels, in the formats of SICK."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from attest.data.mini import trees
from attest.data.mini.grammar import (
    ADJECTIVES,
    INTRANSITIVE,
    PLACES,
    PLAYERS,
    TRANSITIVE,
    active,
    clause,
    negated_verb_phrase,
    noun_phrase,
    passive,
    place_phrase,
)
from attest.data.mini.trees import Tree
from attest.data.readers.sick import SEMEVAL_COLUMNS, SICK_TXT_COLUMNS

DIRECTION = {"ENTAILMENT": "entails", "NEUTRAL": "neutral", "CONTRADICTION": "contradicts"}
SPREAD = 0.2
"""The largest random deviation of a pair's score from the score of its kind, since real scores vary too."""


@dataclass(frozen=True)
class RelatedPair:
    """A pair of sentences with its relatedness, its entailment label and the binary trees of both sentences."""

    first: str
    second: str
    score: float
    label: str
    parses: tuple[str, str]


def draw_related_pair(rng: random.Random) -> RelatedPair:
    """Draw two sentences about who does what to whom; the more they have in common, the higher is their score."""
    agent, patient, third = rng.sample(PLAYERS, 3)
    verb, adjective, place = rng.choice(list(TRANSITIVE)), rng.choice(ADJECTIVES), rng.choice(PLACES)
    deed, other_deed = rng.sample(list(INTRANSITIVE), 2)
    event = active(agent, verb, patient)
    detailed = clause(noun_phrase(agent, adjective), ("VP", ("VBZ", verb), noun_phrase(patient)))
    elsewhere = clause(noun_phrase(third), ("VP", ("VBZ", other_deed), place_phrase(place)))
    does, does_not = (
        clause(noun_phrase(agent), ("VP", ("VBZ", deed))),
        clause(noun_phrase(agent), negated_verb_phrase(deed)),
    )
    first, second, score, label = rng.choice([
        (event, passive(agent, verb, patient), 4.8, "ENTAILMENT"),
        (detailed, event, 4.4, "ENTAILMENT"),
        (event, detailed, 4.2, "NEUTRAL"),
        (event, active(patient, verb, agent), 3.8, "CONTRADICTION"),
        (does, does_not, 3.4, "CONTRADICTION"),
        (event, active(agent, verb, third), 2.8, "NEUTRAL"),
        (event, does, 2.2, "NEUTRAL"),
        (event, elsewhere, 1.2, "NEUTRAL"),
    ])  # fmt: skip
    score = round(score + rng.uniform(-SPREAD, SPREAD), 1)
    parses = (sick_parse(first), sick_parse(second))
    return RelatedPair(sick_sentence(first), sick_sentence(second), score, label, parses)


def sick_sentence(tree: Tree) -> str:
    """Return the sentence of a tree without its full stop, as in SICK."""
    return trees.sentence(tree).removesuffix(".")


def sick_parse(tree: Tree) -> str:
    """Return the binary tree of a sentence without its full stop, which is the last child of its root."""
    return trees.to_binary_brackets(trees.capitalise(tree[:-1]))


def parse_lines(pairs: list[RelatedPair]) -> Iterator[str]:
    """Yield the lines of a split's file of trees, in the format of the authors of vector-entailment."""
    for pair in pairs:
        yield "\t".join([pair.label, *pair.parses])


def semeval_lines(pairs: list[RelatedPair]) -> Iterator[str]:
    """Yield the lines of a split's file in the format of SemEval-2014."""
    yield "\t".join(SEMEVAL_COLUMNS)
    for number, pair in enumerate(pairs, 1):
        yield "\t".join([str(number), pair.first, pair.second, f"{pair.score:g}", pair.label])


def sick_txt_lines(splits: dict[str, list[RelatedPair]]) -> Iterator[str]:
    """Yield the lines of SICK.txt, which holds all splits."""
    yield "\t".join(SICK_TXT_COLUMNS)
    for name, pairs in splits.items():
        for number, pair in enumerate(pairs, 1):
            forth, back = f"A_{DIRECTION[pair.label]}_B", "B_neutral_A"
            cells = [pair.first, pair.second, pair.label, f"{pair.score:g}", forth, back, pair.first, pair.second]
            yield "\t".join([str(number), *cells, "MINI", "MINI", name])
