"""Generated questions about the small world, with TREC's classes of answers."""

import random

from attest.data.mini.grammar import INTRANSITIVE, KINDS, PLACES, TRANSITIVE

NOUNS = tuple(noun for members in KINDS.values() for noun in members)
LETTERS = ("diy", "tv", "bbq", "asap")
FOODS = ("soup", "cake", "bread")
TEMPLATES = {
    "ABBR:exp": ("What does {letters} stand for ?", "What is the full form of {letters} ?"),
    "ABBR:abb": ("What is the short form of {food} {place} ?",),
    "DESC:def": ("What is a {noun} ?",),
    "DESC:reason": ("Why does the {noun} {verb} ?",),
    "DESC:manner": ("How does the {noun} {verb} ?",),
    "ENTY:animal": ("What animal {does} the {noun} ?", "What animal is in the {place} ?"),
    "ENTY:food": ("What food does the {noun} like ?",),
    "HUM:ind": ("Who {does} the {noun} ?", "Who is in the {place} ?"),
    "LOC:other": ("Where does the {noun} {verb} ?", "In what place does the {noun} {verb} ?"),
    "NUM:count": ("How many people {verb} in the {place} ?",),
    "NUM:dist": ("How far is the {place} from here ?",),
}
"""'CLASS:kind' -> templates of questions. Their first word does not decide the class: What, How and In have several."""
WORDS = tuple(dict.fromkeys(
    word.lower() for ways in TEMPLATES.values() for way in ways for word in way.split() if "{" not in word
))  # fmt: skip


def draw_question(rng: random.Random) -> str:
    """Draw a line of TREC's files, 'CLASS:kind question'."""
    kind = rng.choice(list(TEMPLATES))
    question = rng.choice(TEMPLATES[kind]).format(
        letters=rng.choice(LETTERS).upper(),
        food=rng.choice(FOODS),
        noun=rng.choice(NOUNS),
        verb=rng.choice(list(INTRANSITIVE.values())),
        does=rng.choice(list(TRANSITIVE)),
        place=rng.choice(PLACES),
    )
    return f"{kind} {question}"
