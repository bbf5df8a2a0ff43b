"""A grammar of opinions, as trees with sentiment classes.

Every node has a grade from -2 to 2, and its class is the grade plus 2. 'very' strengthens a grade, 'not' reverses it,
and of two opinions the one after 'but' counts.
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
"""Grade -> the adjectives of that grade."""
THINGS = ("soup", "room", "song", "café", "train", "lamp", "story", "cake")
NO_VECTOR = ("bland", "neat", "lamp")
"""Words without a vector in the file; they start at random."""
WORDS = ("the", "was", "is", "very", "not", "but", "or", "a", "i", "found", "it", ",", ".", "(", ")")
VERY_RATE, NOT_RATE, BUT_RATE = 0.4, 0.25, 0.3
"""The probabilities that a judgement has 'very', that a judgement has 'not', and that a sentence has 'but'."""
ASIDE_RATE = 0.05
"""The probability that an aside in brackets, -LRB- and -RRB- in trees, follows a subject."""


def leaf(word: str, grade: int = 0) -> Tree:
    """Return a word with its grade."""
    return (str(grade + 2), word)


def node(grade: int, left: Tree, right: Tree) -> Tree:
    """Return an inner node with its grade."""
    return (str(grade + 2), left, right)


def grade_of(tree: Tree) -> int:
    """Return the grade of a tree's root, from -2 to 2."""
    return int(tree[0]) - 2


def strengthen(tree: Tree) -> Tree:
    """Return 'very' and the tree, with twice its grade, limited to -2 and 2."""
    return node(max(-2, min(2, 2 * grade_of(tree))), leaf("very"), tree)


def negate(tree: Tree) -> Tree:
    """Return 'not' and the tree, with grade 1 for negative, -1 for positive trees: 'not awful' is no more than good."""
    grade = grade_of(tree)
    return node((grade < 0) - (grade > 0), leaf("not"), tree)


def draw_judgement(rng: random.Random) -> Tree:
    """Draw a tree such as 'good', 'very good', 'not good' or 'not very good'."""
    grade = rng.choice(list(ADJECTIVES))
    tree = leaf(rng.choice(ADJECTIVES[grade]), grade)
    if rng.random() < VERY_RATE:
        tree = strengthen(tree)
    return negate(tree) if rng.random() < NOT_RATE else tree


def draw_phrase(rng: random.Random) -> Tree:
    """Draw a judgement alone, or one with its noun, such as 'very good soup'."""
    judgement = draw_judgement(rng)
    return judgement if rng.random() < 0.5 else node(grade_of(judgement), judgement, leaf(rng.choice(THINGS)))


def draw_subject(rng: random.Random) -> Tree:
    """Draw a tree such as 'the soup' or 'the soup ( or room )'."""
    thing, other = rng.sample(THINGS, 2)
    tree = node(0, leaf("the"), leaf(thing))
    if rng.random() < ASIDE_RATE:
        aside = node(0, node(0, leaf("or"), leaf(other)), leaf("-RRB-"))
        tree = node(0, tree, node(0, leaf("-LRB-"), aside))
    return tree


def draw_clause(rng: random.Random) -> Tree:
    """Draw a tree such as 'the soup was not good'."""
    judgement = draw_judgement(rng)
    grade = grade_of(judgement)
    return node(grade, draw_subject(rng), node(grade, leaf("was"), judgement))


def draw_opinion(rng: random.Random) -> Tree:
    """Draw a sentence of one clause, or of two clauses around 'but', whose grade is that of the second."""
    tree = draw_clause(rng)
    if rng.random() < BUT_RATE:
        last = draw_clause(rng)
        tree = node(grade_of(last), tree, node(grade_of(last), leaf("but"), last))
    return node(grade_of(tree), tree, leaf("."))
