r"""Sentiment trees of the Stanford Sentiment Treebank (Socher et al. 2013), in the form of the Penn Treebank.

One tree a line: (3 (2 a) (3 (3 lovely) (2 day))). Every node has a class from 0 to 4 and holds one word or two nodes.
The words are the tokens as they stand in the file: brackets of the text are -LRB- and -RRB-, quotation marks are
`` and '', and \/ and \* are a slash and an asterisk. Only a space parts them: 2 1\/2 holds a no-break space.
"""

import re
from collections.abc import Iterator, Sequence

from attest.corpora.example import Example, Phrase
from attest.corpora.files import Source

CLASSES = 5
NEUTRAL = 2
"""The class in the middle, of what is neither good nor bad."""
PIECE = re.compile(r"\(([0-9]+) (?:([^() ]+)\))?|\)| ")
"""A leaf, the beginning of a node, the end of a node, or the space between two."""


def read_sst(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every tree of the file: the whole sentence, its parts as phrases. `labels` name the classes 0, 1, 2, ..."""
    for number, line in source.lines():
        try:
            words, parse, nodes = read_tree(line, labels)
        except ValueError as error:
            raise source.error(number, f"{error}; a tree looks like (3 (2 a) (3 (3 lovely) (2 day)))") from error
        *phrases, root = nodes
        yield Example(
            row=number - 1,
            label=root.label,
            sentences=(" ".join(words),),
            parses=(parse,),
            phrases=tuple(phrases),
        )


def read_tree(line: str, labels: Sequence[str]) -> tuple[list[str], str, list[Phrase]]:
    """Words, binary parse and nodes of a tree, the root last. Without recursion: a tree may be of any depth."""
    words: list[str] = []
    parse: list[str] = []
    nodes: list[Phrase] = []
    opened: list[Opened] = []
    place = 0
    while place < len(line):
        piece = PIECE.match(line, place)
        if piece is None or (not opened and nodes):
            raise ValueError(f"character {place + 1} does not belong to a tree: {line[place : place + 20]!r}")
        place = piece.end()
        digits, word = piece.groups()
        if digits is not None:
            opened.append(Opened(label_of(digits, labels), len(words)))
        if word is not None:
            words.append(word)
        if piece[0] != " ":
            parse.append(word or piece[0][0])
        if word is not None or piece[0] == ")":
            nodes.append(closed(opened, len(words), is_leaf=word is not None))
    if opened or not nodes:
        raise ValueError("the line ends within a tree" if opened else "there is no tree")
    return words, " ".join(parse), nodes


class Opened:
    """A node whose end is not reached yet."""

    def __init__(self, label: str, start: int) -> None:
        self.label, self.start, self.children = label, start, 0


def closed(opened: list[Opened], end: int, *, is_leaf: bool) -> Phrase:
    """Close the innermost node and count it in the one around it."""
    if not opened:
        raise ValueError("a bracket closes what was never opened")
    node = opened.pop()
    if node.children != 2 and not is_leaf:
        raise ValueError(f"a node holds {node.children} nodes instead of one word or two nodes")
    if opened:
        opened[-1].children += 1
    return Phrase(node.start, end, node.label)


def label_of(digits: str, labels: Sequence[str]) -> str:
    if int(digits) >= len(labels):
        raise ValueError(f"class {digits} is none of 0 to {len(labels) - 1}")
    return labels[int(digits)]
