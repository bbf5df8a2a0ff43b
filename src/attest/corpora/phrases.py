"""Which parts of a tree are examples: the sentence alone, every part of it, or some of them several times."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import repeat

from attest.config.settings import Phrases
from attest.corpora.example import Example
from attest.syntax.trees import bracketed, from_binary, part_of

EXTRA = 3
"""Further copies that the DiSAN authors make of each sentence and of each phrase that is good or bad."""


def chosen(example: Example, phrases: Phrases, neutral: str) -> Iterator[Example]:
    """The examples that one row of a file gives; `neutral` is the class that the authors make no copies of."""
    copies = 1 + EXTRA if phrases == "authors" else 1
    yield from repeat(example, copies)
    if phrases == "sentences":
        return
    tree = from_binary(str(example.parses[0]))
    for phrase in example.phrases:
        subtree = part_of(tree, phrase.start, phrase.end)
        text = " ".join(subtree.words)
        part = replace(example, label=phrase.label, sentences=(text,), parses=(bracketed(subtree),), phrases=())
        yield from repeat(part, 1 if phrase.label == neutral else copies)
