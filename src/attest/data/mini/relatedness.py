"""Pairs of sentences of our own, with how much they have to do with each other and what follows, as in SICK."""

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
from attest.syntax.trees import from_binary, subtree_of, to_brackets

NAMES = ("pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment")
"""Columns of the files of SemEval-2014."""
NAMES_OF_ONE = (
    "pair_ID", "sentence_A", "sentence_B", "entailment_label", "relatedness_score", "entailment_AB", "entailment_BA",
    "sentence_A_original", "sentence_B_original", "sentence_A_dataset", "sentence_B_dataset", "SemEval_set",
)  # fmt: skip
"""Columns of SICK.txt, which holds all splits."""
DIRECTION = {"ENTAILMENT": "entails", "NEUTRAL": "neutral", "CONTRADICTION": "contradicts"}
SPREAD = 0.2
"""Scores are means over people: they lie this far around what the kind of pair calls for."""


@dataclass(frozen=True)
class Pair:
    first: str
    second: str
    score: float
    label: str
    parses: tuple[str, str]


def draw_pair(rng: random.Random) -> Pair:
    """Who does what to whom, said twice: the more of it is the same, the higher the score."""
    agent, patient, third = rng.sample(PLAYERS, 3)
    verb, adjective, place = rng.choice(list(TRANSITIVE)), rng.choice(ADJECTIVES), rng.choice(PLACES)
    deed, other_deed = rng.sample(list(INTRANSITIVE), 2)
    said = active(agent, verb, patient)
    described = clause(noun_phrase(agent, adjective), ("VP", ("VBZ", verb), noun_phrase(patient)))
    elsewhere = clause(noun_phrase(third), ("VP", ("VBZ", other_deed), place_phrase(place)))
    does, does_not = (
        clause(noun_phrase(agent), ("VP", ("VBZ", deed))),
        clause(noun_phrase(agent), negated_verb_phrase(deed)),
    )
    first, second, score, label = rng.choice([
        (said, passive(agent, verb, patient), 4.8, "ENTAILMENT"),
        (described, said, 4.4, "ENTAILMENT"),
        (said, described, 4.2, "NEUTRAL"),
        (said, active(patient, verb, agent), 3.8, "CONTRADICTION"),
        (does, does_not, 3.4, "CONTRADICTION"),
        (said, active(agent, verb, third), 2.8, "NEUTRAL"),
        (said, does, 2.2, "NEUTRAL"),
        (said, elsewhere, 1.2, "NEUTRAL"),
    ])  # fmt: skip
    score = round(score + rng.uniform(-SPREAD, SPREAD), 1)
    return Pair(sick_sentence(first), sick_sentence(second), score, label, (sick_parse(first), sick_parse(second)))


def sick_sentence(tree: Tree) -> str:
    """SICK's sentences have no full stop."""
    return trees.sentence(tree).removesuffix(".")


def sick_parse(tree: Tree) -> str:
    """Its binary parse, without the full stop either."""
    words = trees.words(tree)
    whole = from_binary(trees.to_binary_brackets(trees.capitalise(tree)))
    return to_brackets(subtree_of(whole, 0, len(words) - (words[-1] == ".")))


def parse_lines(pairs: list[Pair]) -> Iterator[str]:
    """Trees of a split, as the authors of vector-entailment gave them out."""
    for one in pairs:
        yield "\t".join([one.label, *one.parses])


def split_lines(pairs: list[Pair]) -> Iterator[str]:
    """A file of SemEval-2014: one split."""
    yield "\t".join(NAMES)
    for number, one in enumerate(pairs, 1):
        yield "\t".join([str(number), one.first, one.second, f"{one.score:g}", one.label])


def sick_txt_lines(splits: dict[str, list[Pair]]) -> Iterator[str]:
    """SICK.txt: every split in one file."""
    yield "\t".join(NAMES_OF_ONE)
    for name, pairs in splits.items():
        for number, one in enumerate(pairs, 1):
            forth, back = f"A_{DIRECTION[one.label]}_B", "B_neutral_A"
            texts = [one.first, one.second, one.label, f"{one.score:g}", forth, back, one.first, one.second]
            yield "\t".join([str(number), *texts, "MINI", "MINI", name])
