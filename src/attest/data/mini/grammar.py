"""A small world of our own: who does what to whom, and who does not.

Each pair of sentences comes with the relation that holds in this world: one thing happens at a time, everybody
does one thing only, and what is not said may be so or not.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from attest.data.mini.trees import Tree

KINDS = {
    "animal": ("dog", "cat", "horse", "goat", "mouse"),
    "child": ("boy", "girl", "pupil", "toddler"),
    "adult": ("man", "woman", "farmer", "nurse", "baker"),
}
"""A kind -> nouns of that kind."""
TRANSITIVE = {
    "chases": "chased",
    "sees": "seen",
    "feeds": "fed",
    "follows": "followed",
    "washes": "washed",
    "greets": "greeted",
}
INTRANSITIVE = {"sleeps": "sleep", "runs": "run", "sings": "sing", "waits": "wait", "jumps": "jump", "eats": "eat"}
ADJECTIVES = ("small", "tall", "old", "young", "brown", "quiet")
PLACES = ("garden", "kitchen", "park", "street", "barn")

PLAYERS = ("dog", "cat", "boy", "girl", "man", "woman")

RARE_NOUNS = ("donkey", "plumber")
"""Only in dev and test. The first has a word vector (a frozen row), the second has none (the zero vector)."""
NO_VECTOR = ("toddler", "greets", "greeted", "plumber")
"""Left out of the vector file; those among them that occur in training start at random."""


@dataclass(frozen=True)
class DrawnPair:
    """Two sentences, the relation between them and what decides it."""

    first: Tree
    second: Tree
    label: str
    genre: str
    """order: the same words in another order would have another label; words: the words decide."""


def noun_phrase(noun: str, adjective: str | None = None, article: str = "the") -> Tree:
    described = [("JJ", adjective)] if adjective else []
    return ("NP", ("DT", article), *described, ("NN", noun))


def place_phrase(place: str) -> Tree:
    return ("PP", ("IN", "in"), noun_phrase(place))


def clause(subject: Tree, predicate: Tree) -> Tree:
    return ("S", subject, predicate, (".", "."))


def active(agent: str, verb: str, patient: str) -> Tree:
    return clause(noun_phrase(agent), ("VP", ("VBZ", verb), noun_phrase(patient)))


def passive(agent: str, verb: str, patient: str) -> Tree:
    by = ("PP", ("IN", "by"), noun_phrase(agent))
    return clause(noun_phrase(patient), ("VP", ("VBZ", "is"), ("VP", ("VBN", TRANSITIVE[verb]), by)))


def negated_verb_phrase(verb: str) -> Tree:
    return ("VP", ("VBZ", "does"), ("RB", "not"), ("VP", ("VB", INTRANSITIVE[verb])))


def draw_role_pair(rng: random.Random) -> DrawnPair:
    """Who does it to whom: the label turns when agent and patient change places."""
    agent, patient = rng.sample(PLAYERS, 2)
    verb = rng.choice(list(TRANSITIVE))
    same = rng.random() < 0.5
    roles_then = (agent, verb, patient) if same else (patient, verb, agent)
    form = active if rng.random() < 0.7 else passive
    return DrawnPair(
        active(agent, verb, patient), form(*roles_then), "entailment" if same else "contradiction", "order"
    )


def draw_negation_pair(rng: random.Random) -> DrawnPair:
    """Whom the negation covers: 'the dog sleeps but the cat does not'."""
    does, does_not = rng.sample(PLAYERS, 2)
    verb = rng.choice(list(INTRANSITIVE))
    contrast = ("S", noun_phrase(does_not), ("VP", ("VBZ", "does"), ("RB", "not")))
    affirmed = ("S", noun_phrase(does), ("VP", ("VBZ", verb)))
    first = ("S", affirmed, ("CC", "but"), contrast, (".", "."))
    about, claimed = rng.choice((does, does_not)), rng.random() < 0.5
    second = clause(noun_phrase(about), ("VP", ("VBZ", verb)) if claimed else negated_verb_phrase(verb))
    return DrawnPair(first, second, "entailment" if claimed == (about == does) else "contradiction", "order")


def draw_lexical_pair(rng: random.Random, nouns: list[str]) -> DrawnPair:
    """Kinds, adjectives, places and other deeds: order plays no part."""
    noun = rng.choice(nouns)
    kind = next((kind for kind, members in KINDS.items() if noun in members), "animal")
    verb, other_verb = rng.sample(list(INTRANSITIVE), 2)
    adjective, place = rng.choice(ADJECTIVES), rng.choice(PLACES)
    first = clause(noun_phrase(noun, adjective), ("VP", ("VBZ", verb), place_phrase(place)))
    verb_phrase, vague = ("VP", ("VBZ", verb)), clause(noun_phrase(noun), ("VP", ("VBZ", verb)))
    choices: list[Callable[[], tuple[Tree, Tree, str]]] = [
        lambda: (first, clause(noun_phrase(kind, article="a"), verb_phrase), "entailment"),
        lambda: (first, clause(noun_phrase(noun, adjective), verb_phrase), "entailment"),
        lambda: (first, clause(noun_phrase(noun), ("VP", ("VBZ", other_verb))), "contradiction"),
        lambda: (first, clause(noun_phrase(noun, adjective), negated_verb_phrase(verb)), "contradiction"),
        lambda: (vague, clause(noun_phrase(noun, adjective), verb_phrase), "neutral"),
        lambda: (vague, clause(noun_phrase(noun), ("VP", ("VBZ", verb), place_phrase(place))), "neutral"),
        lambda: (vague, clause(noun_phrase(noun, adjective), ("VP", ("VBZ", verb), place_phrase(place))), "neutral"),
    ]
    return DrawnPair(*rng.choice(choices)(), "words")


def draw_pair(rng: random.Random, *, rare: bool) -> DrawnPair:
    """One pair; three in five turn on word order. `rare` lets in the nouns that training never shows."""
    kind = rng.choices(("roles", "negation", "lexical"), weights=(3, 3, 4))[0]
    if kind == "roles":
        return draw_role_pair(rng)
    if kind == "negation":
        return draw_negation_pair(rng)
    nouns = [noun for members in KINDS.values() for noun in members]
    return draw_lexical_pair(rng, [*nouns, *RARE_NOUNS] if rare else nouns)
