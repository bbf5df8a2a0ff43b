r"""The Stanford Sentiment Treebank: trees whose nodes have sentiment classes (Socher et al. 2013).

Each line holds a tree such as (3 (2 a) (3 (3 lovely) (2 day))). Every node has a class from 0 to 4 and holds one word
or two nodes. Words stay as they are in the file: brackets are -LRB- and -RRB-, quotation marks are `` and '', and \/
and \* stand for a slash and an asterisk. Words are separated by spaces alone: 2 1\/2 with a no-break space is one word.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat

from attest.config.settings import TrainedPhrases
from attest.data.files.source import Source
from attest.data.readers.example import Example, Phrase
from attest.data.readers.fields import not_one_of, numbered_classes
from attest.syntax.trees import Tree, from_spans, from_unlabelled, node_spans, parse_brackets, subtree_of, to_brackets

CLASSES_OF_TREE_FORMAT = {"sst": 5, "sst_in_two": 2}
"""Format -> its number of classes."""
NEUTRAL = 2
"""The neutral class of the five."""


def read_sst(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield each tree as a sentence with labelled phrases; `labels` are the names of the classes 0, 1, 2, ..."""
    classes = numbered_classes(labels)
    for number, line in source.lines():
        try:
            tree, nodes = read_tree(line, classes)
        except ValueError as error:
            raise source.error(number, f"{error}; a tree looks like (3 (2 a) (3 (3 lovely) (2 day)))") from error
        *phrases, root = nodes
        yield Example(
            source,
            number,
            row=number - 1,
            label=root.label,
            sentences=(" ".join(tree.words),),
            parses=(to_brackets(tree),),
            phrases=tuple(phrases),
        )


def read_sst_in_two(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield each tree as in `read_sst`, with two classes, negative and positive.

    Neutral sentences have no label, and neutral phrases are left out. `labels` are the names of the two classes.
    """
    negative, positive = labels
    classes = {"0": negative, "1": negative, "3": positive, "4": positive}
    for example in read_sst(source, "01234"):
        phrases = tuple(
            replace(phrase, label=classes[phrase.label]) for phrase in example.phrases if phrase.label in classes
        )
        yield replace(example, label=classes.get(str(example.label)), phrases=phrases)


def read_tree(line: str, classes: Mapping[str, str]) -> tuple[Tree, list[Phrase]]:
    """Return the tree of a line and its labelled nodes, the root last. Malformed lines raise a ValueError.

    `classes` holds the name of each class by its number.
    """
    words, nodes = parse_brackets(line, labelled=True)
    for node in nodes:
        if node.child_count not in (0, 2):
            raise ValueError(f"a node holds {node.child_count} nodes instead of one word or two nodes")
        if node.label not in classes:
            raise ValueError(not_one_of("class", node.label, classes))
    return from_spans(words, node_spans(nodes)), [Phrase(node.start, node.end, classes[node.label]) for node in nodes]


EXTRA = 3
"""The number of additional copies that the DiSAN authors make of each sentence and each phrase that is not neutral."""


def training_examples(example: Example, phrases: TrainedPhrases, neutral: str) -> Iterator[Example]:
    """Yield the training examples of a row: its sentence and, unless `phrases` is "sentences", its labelled phrases.

    If `phrases` is "authors", each example is followed by EXTRA copies, except for phrases of the class `neutral`.
    """
    copies = 1 + EXTRA if phrases == "authors" else 1
    yield from repeat(example, copies)
    if phrases == "sentences":
        return
    tree = from_unlabelled(str(example.parses[0]))
    for phrase in example.phrases:
        subtree = subtree_of(tree, phrase.start, phrase.end)
        text = " ".join(subtree.words)
        alone = replace(example, label=phrase.label, sentences=(text,), parses=(to_brackets(subtree),), phrases=())
        yield from repeat(alone, 1 if phrase.label == neutral else copies)
