r"""Sentiment trees of the Stanford Sentiment Treebank (Socher et al. 2013), in the form of the Penn Treebank.

One tree a line: (3 (2 a) (3 (3 lovely) (2 day))). Every node has a class from 0 to 4 and holds one word or two nodes.
The words are the tokens as they stand in the file: brackets of the text are -LRB- and -RRB-, quotation marks are
`` and '', and \/ and \* are a slash and an asterisk. Only a space parts them: 2 1\/2 holds a no-break space.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import repeat

from attest.config.settings import TrainedPhrases
from attest.data.files import Source
from attest.data.readers.example import Example, Phrase
from attest.syntax.trees import Tree, from_binary, from_spans, node_spans, parse_brackets, subtree_of, to_brackets

TREES = {"sst": 5, "sst_in_two": 2}
"""Format -> its classes."""
NEUTRAL = 2
"""Of five the class in the middle, of what is neither good nor bad."""


def read_sst(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every tree of the file: the whole sentence, its parts as phrases. `labels` name the classes 0, 1, 2, ..."""
    for number, line in source.lines():
        try:
            tree, nodes = read_tree(line, labels)
        except ValueError as error:
            raise source.error(number, f"{error}; a tree looks like (3 (2 a) (3 (3 lovely) (2 day)))") from error
        *phrases, root = nodes
        yield Example(
            row=number - 1,
            label=root.label,
            sentences=(" ".join(tree.words),),
            parses=(to_brackets(tree),),
            phrases=tuple(phrases),
        )


def read_sst_in_two(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """The same with two classes, what is bad and what is good: a sentence that is neither has no label, and parts of
    sentences that are neither are left out. Every tree stays a row."""
    bad, good = labels
    classes = {"0": bad, "1": bad, "3": good, "4": good}
    for example in read_sst(source, "01234"):
        phrases = tuple(replace(one, label=classes[one.label]) for one in example.phrases if one.label in classes)
        yield replace(example, label=classes.get(str(example.label)), phrases=phrases)


def read_tree(line: str, labels: Sequence[str]) -> tuple[Tree, list[Phrase]]:
    """The tree, and its nodes with their classes, the root last."""
    words, nodes = parse_brackets(line, labelled=True)
    for node in nodes:
        if node.parts not in (0, 2):
            raise ValueError(f"a node holds {node.parts} nodes instead of one word or two nodes")
    return from_spans(words, node_spans(nodes)), [Phrase(n.start, n.end, class_name(n.label, labels)) for n in nodes]


def class_name(digits: str, labels: Sequence[str]) -> str:
    if not (digits.isascii() and digits.isdigit() and int(digits) < len(labels)):
        raise ValueError(f"class {digits!r} is none of 0 to {len(labels) - 1}")
    return labels[int(digits)]


EXTRA = 3
"""Further copies that the DiSAN authors make of each sentence and of each phrase that is good or bad."""


def training_examples(example: Example, phrases: TrainedPhrases, neutral: str) -> Iterator[Example]:
    """The examples that one row of a file gives; `neutral` is the class that the authors make no copies of."""
    copies = 1 + EXTRA if phrases == "authors" else 1
    yield from repeat(example, copies)
    if phrases == "sentences":
        return
    tree = from_binary(str(example.parses[0]))
    for phrase in example.phrases:
        subtree = subtree_of(tree, phrase.start, phrase.end)
        text = " ".join(subtree.words)
        part = replace(example, label=phrase.label, sentences=(text,), parses=(to_brackets(subtree),), phrases=())
        yield from repeat(part, 1 if phrase.label == neutral else copies)
