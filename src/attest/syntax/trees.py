"""Constituency trees: the words of a sentence, and which of them stand together.

A tree is its words and the spans of its inner nodes: (start, end) holds the words from start up to, not including,
end. Spans of one word are no nodes, and a chain of nodes over the same words is one, so labels and unary chains are
gone. What is not a tree is a ValueError; whoever reads a file adds file and line.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Span = tuple[int, int]
Branching = Literal["left", "right"]

PIECE = re.compile(r"[()]|[^() ]+")
"""A bracket, or what stands between brackets. Only a space parts words: 2 1/2 may hold a no-break space."""
BRACKETS = {"(": "-LRB-", ")": "-RRB-"}
"""How treebanks write the brackets of the text itself."""
TRACE = "-NONE-"
"""The Penn Treebank's label of what is not in the text."""


@dataclass(frozen=True, slots=True)
class Tree:
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    """Of two words and more; a node before its parts, and those from left to right."""


@dataclass(slots=True)
class Node:
    """A node of a tree as it is written."""

    label: str
    start: int
    end: int = -1
    parts: int = 0
    """How many nodes it holds, and in trees without labels, words; 0 for one that holds a word by itself."""


def from_binary(text: str) -> Tree:
    """'( ( A man ) ( runs . ) )', without labels, whether or not it is binary; a sentence of one word is that word."""
    words, nodes = parse_brackets(text, labelled=False)
    return from_spans(words, node_spans(nodes))


def is_tree(text: str) -> bool:
    """Whether it is a tree of two words or more, without labels."""
    try:
        return text.lstrip().startswith("(") and len(from_binary(text).words) > 1
    except ValueError:
        return False


def from_labelled(text: str) -> Tree:
    """'(S (NP (DT A) (NN man)) (VP (VBZ runs)))' of the Penn Treebank, or '(3 (2 a) (3 day))' with classes."""
    words, nodes = parse_brackets(text, labelled=True)
    return from_spans(words, node_spans(nodes))


def node_spans(nodes: Iterable[Node]) -> set[Span]:
    return {(node.start, node.end) for node in nodes if node.end - node.start > 1}


def from_spans(words: Iterable[str], spans: Iterable[Span]) -> Tree:
    """The tree of these words and nodes, with the whole sentence as its root."""
    kept = tuple(words)
    found = set(spans) | ({(0, len(kept))} if len(kept) > 1 else set())
    around: list[Span] = []
    ordered = sort_spans(found)
    for start, end in ordered:
        if not (start >= 0 and start + 1 < end <= len(kept)):
            raise ValueError(f"({start}, {end}) is no span of two words or more, of {len(kept)}")
        while around and around[-1][1] <= start:
            around.pop()
        if around and around[-1][1] < end:
            raise ValueError(f"({start}, {end}) and {around[-1]} overlap, and neither holds the other")
        around.append((start, end))
    return Tree(kept, tuple(ordered))


def sort_spans(spans: Iterable[Span]) -> list[Span]:
    """A node before its parts, and those from left to right."""
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def parse_brackets(text: str, *, labelled: bool) -> tuple[list[str], list[Node]]:
    """Words, and nodes in the order in which they end. Without recursion: a tree may be of any depth."""
    words: list[str] = []
    nodes: list[Node] = []
    opened: list[Node] = []
    complete = False
    after = -1  # where a label may stand
    for piece in PIECE.finditer(text):
        found, place = piece[0], piece.start()
        if complete:
            raise ValueError(f"{found[:20]!r} at character {place + 1} stands behind the end of the tree")
        if found == "(":
            after = piece.end()
            opened.append(Node("", len(words)))
        elif found == ")":
            nodes.append(close_node(opened, words, labelled=labelled))
        elif labelled and place == after:
            opened[-1].label = found
        elif labelled:
            add_word(found, place, opened, words)
        else:
            words.append(found)
            if opened:
                opened[-1].parts += 1
        complete = not opened
    if opened:
        raise ValueError("the line ends within a tree")
    if not words:
        raise ValueError("there is no tree")
    return words, nodes


def add_word(word: str, place: int, opened: Sequence[Node], words: list[str]) -> None:
    """Give a word to the node that it stands in, which may hold nothing else."""
    if not opened or opened[-1].end >= 0 or opened[-1].parts:
        raise ValueError(f"{word[:20]!r} at character {place + 1} is not alone in brackets with its label")
    if opened[-1].label != TRACE:
        words.append(word)
    opened[-1].end = len(words)


def close_node(opened: list[Node], words: Sequence[str], *, labelled: bool) -> Node:
    """The innermost node, complete, and counted in the one around it."""
    if not opened:
        raise ValueError("a bracket closes what was never opened")
    node = opened.pop()
    if node.end < 0 and not node.parts:
        raise ValueError("a node holds nothing")
    if node.end >= 0 and node.parts:
        raise ValueError(f"a node holds {words[node.end - 1][:20]!r} and further nodes")
    node.end = len(words)
    if opened:
        opened[-1].parts += 1
    return node


def children(tree: Tree) -> dict[Span, list[Span]]:
    """The parts of each inner node from left to right: spans of nodes, and (i, i + 1) for words."""
    found: dict[Span, list[Span]] = {}
    around: list[Span] = []
    for span in sort_spans([*tree.spans, *((place, place + 1) for place in range(len(tree.words)))]):
        while around and around[-1][1] <= span[0]:
            around.pop()
        if around:
            found[around[-1]].append(span)
        if span[1] - span[0] > 1:
            found[span] = []
            around.append(span)
    return found


def binarise(tree: Tree, branching: Branching = "right") -> Tree:
    """Every node with two parts: where there are more, they are grouped to the right, ( a ( b c ) ), or the left."""
    spans = list(tree.spans)
    for (start, end), parts in children(tree).items():
        spans += [(part[0], end) if branching == "right" else (start, part[1]) for part in parts[1:-1]]
    return Tree(tree.words, tuple(sort_spans(spans)))


def subtree_of(tree: Tree, start: int, end: int) -> Tree:
    """The tree of some of its words: the nodes that hold no others."""
    inside = (span for span in tree.spans if start <= span[0] and span[1] <= end)
    return from_spans(tree.words[start:end], ((first - start, last - start) for first, last in inside))


def to_brackets(tree: Tree) -> str:
    """'( ( A man ) ( runs . ) )': what `from_binary` reads, brackets of the text as treebanks write them."""
    before, behind = [0] * len(tree.words), [0] * len(tree.words)
    for start, end in tree.spans:
        before[start] += 1
        behind[end - 1] += 1
    words = (BRACKETS.get(word, word) for word in tree.words)
    pieces = (["("] * a + [word] + [")"] * b for a, word, b in zip(before, words, behind, strict=True))
    return " ".join(piece for some in pieces for piece in some)
