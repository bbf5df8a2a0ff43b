"""A grammar of sentence pairs about a small world, each with its inference label.

The rules of the world decide the label: only one event happens at a time, each being does only one thing, and anything
that the first sentence leaves open is neutral.
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
"""Kind -> the nouns of that kind."""
TRANSITIVE = {
    "chases": "chased",
    "sees": "seen",
    "feeds": "fed",
    "follows": "followed",
    "washes": "washed",
    "greets": "greeted",
}
"""Verb -> its past participle."""
INTRANSITIVE = {"sleeps": "sleep", "runs": "run", "sings": "sing", "waits": "wait", "jumps": "jump", "eats": "eat"}
"""Verb -> its infinitive."""
ADJECTIVES = ("small", "tall", "old", "young", "brown", "quiet")
PLACES = ("garden", "kitchen", "park", "street", "barn")

PLAYERS = ("dog", "cat", "boy", "girl", "man", "woman")
"""The nouns of the beings that act in pairs about roles and about negation."""

RARE_NOUNS = ("donkey", "plumber")
"""The nouns that do not occur in training. The first has a word vector, the second has none."""
NO_VECTOR = ("toddler", "greets", "greeted", "plumber")
"""Words without a vector in the file; those that occur in training start at random."""


@dataclass(frozen=True)
class InferencePair:
    """Two sentences and the relation between them."""

    first: Tree
    second: Tree
    label: str
    genre: str
    """The text "order" if the label depends on the order of the words, "words" if it depends on the words alone."""


def noun_phrase(noun: str, adjective: str | None = None, article: str = "the") -> Tree:
    """Return the tree of 'the dog' or 'the small dog'."""
    modifiers = [("JJ", adjective)] if adjective else []
    return ("NP", ("DT", article), *modifiers, ("NN", noun))


def place_phrase(place: str) -> Tree:
    """Return the tree of 'in the park'."""
    return ("PP", ("IN", "in"), noun_phrase(place))


def clause(subject: Tree, predicate: Tree) -> Tree:
    """Return the tree of a sentence with a full stop."""
    return ("S", subject, predicate, (".", "."))


def active(agent: str, verb: str, patient: str) -> Tree:
    """Return the tree of 'the dog chases the cat .'."""
    return clause(noun_phrase(agent), ("VP", ("VBZ", verb), noun_phrase(patient)))


def passive(agent: str, verb: str, patient: str) -> Tree:
    """Return the tree of 'the cat is chased by the dog .'."""
    by = ("PP", ("IN", "by"), noun_phrase(agent))
    return clause(noun_phrase(patient), ("VP", ("VBZ", "is"), ("VP", ("VBN", TRANSITIVE[verb]), by)))


def negated_verb_phrase(verb: str) -> Tree:
    """Return the tree of 'does not sleep'."""
    return ("VP", ("VBZ", "does"), ("RB", "not"), ("VP", ("VB", INTRANSITIVE[verb])))


def draw_role_pair(rng: random.Random) -> InferencePair:
    """Draw a pair about who does something to whom; the label changes if agent and patient change places."""
    agent, patient = rng.sample(PLAYERS, 2)
    verb = rng.choice(list(TRANSITIVE))
    same = rng.random() < 0.5
    roles_then = (agent, verb, patient) if same else (patient, verb, agent)
    form = active if rng.random() < 0.7 else passive
    return InferencePair(
        active(agent, verb, patient), form(*roles_then), "entailment" if same else "contradiction", "order"
    )


def draw_negation_pair(rng: random.Random) -> InferencePair:
    """Draw a pair about who is negated, as in 'the dog sleeps but the cat does not'."""
    does, does_not = rng.sample(PLAYERS, 2)
    verb = rng.choice(list(INTRANSITIVE))
    contrast = ("S", noun_phrase(does_not), ("VP", ("VBZ", "does"), ("RB", "not")))
    affirmed = ("S", noun_phrase(does), ("VP", ("VBZ", verb)))
    first = ("S", affirmed, ("CC", "but"), contrast, (".", "."))
    about, claimed = rng.choice((does, does_not)), rng.random() < 0.5
    second = clause(noun_phrase(about), ("VP", ("VBZ", verb)) if claimed else negated_verb_phrase(verb))
    return InferencePair(first, second, "entailment" if claimed == (about == does) else "contradiction", "order")


def draw_lexical_pair(rng: random.Random, nouns: list[str]) -> InferencePair:
    """Draw a pair whose label depends on its words alone: kinds, adjectives, places and actions."""
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
    return InferencePair(*rng.choice(choices)(), "words")


def draw_inference_pair(rng: random.Random, *, rare: bool) -> InferencePair:
    """Draw a pair; the label of three in five depends on word order. `rare` allows nouns that are not in training."""
    kind = rng.choices(("roles", "negation", "lexical"), weights=(3, 3, 4))[0]
    if kind == "roles":
        return draw_role_pair(rng)
    if kind == "negation":
        return draw_negation_pair(rng)
    nouns = [noun for members in KINDS.values() for noun in members]
    return draw_lexical_pair(rng, [*nouns, *RARE_NOUNS] if rare else nouns)
