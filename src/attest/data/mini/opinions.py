"""Opinions of our own, as trees: what is said of a thing, how strongly, and what is taken back.

Every node has a grade from -2 to 2, and its class is the grade plus 2. 'very' makes a grade stronger, 'not' turns it
round, and of two opinions the one behind 'but' stands.
"""

import random

from attest.data.mini.trees import Tree

ADJECTIVES = {
    -2: ("awful", "horrid", "dreadful"),
    -1: ("bad", "dull", "weak", "bland"),
    0: ("plain", "usual", "brief"),
    1: ("good", "nice", "fresh", "neat"),
    2: ("superb", "splendid", "lovely"),
}
"""Grade -> adjectives."""
THINGS = ("soup", "room", "song", "café", "train", "lamp", "story", "cake")
NO_VECTOR = ("bland", "neat", "lamp")
"""Left out of the vector file; they start at random."""
WORDS = ("the", "was", "is", "very", "not", "but", "or", "a", "i", "found", "it", ",", ".", "(", ")")
STRENGTHENED, DENIED, CONTRASTED = 0.4, 0.25, 0.3
"""Shares of 'very', of 'not' and of 'but'."""
ASIDE = 0.05
"""Share of subjects with an aside in brackets, which trees write -LRB- and -RRB-."""


def leaf(word: str, grade: int = 0) -> Tree:
    return (str(grade + 2), word)


def node(grade: int, left: Tree, right: Tree) -> Tree:
    return (str(grade + 2), left, right)


def grade_of(tree: Tree) -> int:
    return int(tree[0]) - 2


def strengthen(tree: Tree) -> Tree:
    return node(max(-2, min(2, 2 * grade_of(tree))), leaf("very"), tree)


def negate(tree: Tree) -> Tree:
    """'not awful' is somewhat good, 'not superb' somewhat bad."""
    grade = grade_of(tree)
    return node((grade < 0) - (grade > 0), leaf("not"), tree)


def draw_judgement(rng: random.Random) -> Tree:
    """'good', 'very good', 'not good' or 'not very good'."""
    grade = rng.choice(list(ADJECTIVES))
    tree = leaf(rng.choice(ADJECTIVES[grade]), grade)
    if rng.random() < STRENGTHENED:
        tree = strengthen(tree)
    return negate(tree) if rng.random() < DENIED else tree


def draw_phrase(rng: random.Random) -> Tree:
    """A judgement alone, or with what it is about."""
    said = draw_judgement(rng)
    return said if rng.random() < 0.5 else node(grade_of(said), said, leaf(rng.choice(THINGS)))


def draw_subject(rng: random.Random) -> Tree:
    thing, other = rng.sample(THINGS, 2)
    tree = node(0, leaf("the"), leaf(thing))
    if rng.random() < ASIDE:
        aside = node(0, node(0, leaf("or"), leaf(other)), leaf("-RRB-"))
        tree = node(0, tree, node(0, leaf("-LRB-"), aside))
    return tree


def draw_clause(rng: random.Random) -> Tree:
    said = draw_judgement(rng)
    return node(grade_of(said), draw_subject(rng), node(grade_of(said), leaf("was"), said))


def draw_opinion(rng: random.Random) -> Tree:
    """One clause, or two of which the second counts."""
    tree = draw_clause(rng)
    if rng.random() < CONTRASTED:
        last = draw_clause(rng)
        tree = node(grade_of(last), tree, node(grade_of(last), leaf("but"), last))
    return node(grade_of(tree), tree, leaf("."))
