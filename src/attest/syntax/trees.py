"""Constituency trees: the words of a sentence and the groups that they form.

A tree is stored as its words and the spans of its inner nodes. The span (start, end) covers the words from `start` up
to, not including, `end`. Only spans of two or more words are stored, each of them once, so labels and chains of unary
nodes are lost. Text that is not a tree raises a ValueError; the readers of files add the file and the line.

In names, a parse is a tree as text in brackets, and a tree is a `Tree`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

Span = tuple[int, int]
Branching = Literal["left", "right"]

PIECE = re.compile(r"[()]|[^() ]+")
"""A bracket, or a word or label. Words are separated by spaces alone: the word 2 1/2 may hold a no-break space."""
BRACKETS = {"(": "-LRB-", ")": "-RRB-"}
"""A bracket in the text -> the way that treebanks write it."""
TRACE = "-NONE-"
"""The Penn Treebank's label of an element that has no words in the text."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A sentence and the inner nodes of its tree."""

    words: tuple[str, ...]
    spans: tuple[Span, ...]
    """The spans of two or more words: each node before its children, children from left to right."""


@dataclass(slots=True)
class Node:
    """A node of a tree in brackets, while it is read."""

    label: str
    start: int
    end: int = -1
    """The end of the span; -1 until the node has a word or is closed."""
    child_count: int = 0
    """The number of children read so far. In trees with labels, the word of a node does not count as a child."""


def from_unlabelled(text: str) -> Tree:
    """Return the tree in a text of brackets without labels, such as '( ( A man ) ( runs . ) )'.

    A node may have any number of children. A single word is a tree too.
    """
    words, nodes = parse_brackets(text, labelled=False)
    return from_spans(words, node_spans(nodes))


def is_tree(text: str) -> bool:
    """Return whether `text` is a tree in brackets, without labels, over at least two words."""
    try:
        return text.lstrip().startswith("(") and len(from_unlabelled(text).words) > 1
    except ValueError:
        return False


def from_labelled(text: str) -> Tree:
    """Read a tree with labels: '(S (NP (DT A) (NN man)) (VP (VBZ runs)))' or, with classes, '(3 (2 a) (3 day))'."""
    words, nodes = parse_brackets(text, labelled=True)
    return from_spans(words, node_spans(nodes))


def node_spans(nodes: Iterable[Node]) -> set[Span]:
    """Return the spans of the nodes with two or more words."""
    return {(node.start, node.end) for node in nodes if node.end - node.start > 1}


def from_spans(words: Iterable[str], spans: Iterable[Span]) -> Tree:
    """Return the tree with these words and inner nodes; the root over all words is added if `spans` lacks it.

    A span outside of the sentence, a span of fewer than two words, or two spans that cross raise a ValueError.
    """
    sentence = tuple(words)
    root = {(0, len(sentence))} if len(sentence) > 1 else set[Span]()
    ordered = sort_spans(set(spans) | root)
    ancestors: list[Span] = []
    for start, end in ordered:
        if not (start >= 0 and start + 1 < end <= len(sentence)):
            raise ValueError(f"({start}, {end}) is not a span of two or more words in a sentence of {len(sentence)}")
        while ancestors and ancestors[-1][1] <= start:
            ancestors.pop()
        if ancestors and ancestors[-1][1] < end:
            raise ValueError(f"the spans ({start}, {end}) and {ancestors[-1]} cross")
        ancestors.append((start, end))
    return Tree(sentence, tuple(ordered))


def sort_spans(spans: Iterable[Span]) -> list[Span]:
    """Return the spans with each node before its children, and children from left to right."""
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def parse_brackets(text: str, *, labelled: bool) -> tuple[list[str], list[Node]]:
    """Return the words of a tree in brackets, and its nodes in the order of their closing brackets.

    The text is read without recursion, so a tree may have any depth. Malformed text raises a ValueError.
    """
    words: list[str] = []
    nodes: list[Node] = []
    opened: list[Node] = []
    complete = False
    label_start = -1  # the position right after an opening bracket, where a label may begin
    for match in PIECE.finditer(text):
        piece, start = match[0], match.start()
        if complete:
            raise ValueError(f"{piece[:20]!r} at character {start + 1} follows the end of the tree")
        if piece == "(":
            label_start = match.end()
            opened.append(Node("", len(words)))
        elif piece == ")":
            nodes.append(close_node(opened, words))
        elif labelled and start == label_start:
            opened[-1].label = piece
        elif labelled:
            add_word(piece, start, opened, words)
        else:
            words.append(piece)
            if opened:
                opened[-1].child_count += 1
        complete = not opened
    if opened:
        raise ValueError("the line ends before the tree does: a closing bracket is missing")
    if not words:
        raise ValueError("the line holds no tree")
    return words, nodes


def add_word(word: str, start: int, opened: Sequence[Node], words: list[str]) -> None:
    """Give the word at character `start` to the innermost open node, which must be empty; a trace adds no word."""
    if not opened or opened[-1].end >= 0 or opened[-1].child_count:
        raise ValueError(f"{word[:20]!r} at character {start + 1} is not alone in brackets with its label")
    if opened[-1].label != TRACE:
        words.append(word)
    opened[-1].end = len(words)


def close_node(opened: list[Node], words: Sequence[str]) -> Node:
    """Remove the innermost open node from `opened`, count it in its parent and return it."""
    if not opened:
        raise ValueError("a closing bracket has no opening bracket")
    node = opened.pop()
    if node.end < 0 and not node.child_count:
        raise ValueError("a node is empty")
    if node.end >= 0 and node.child_count:
        raise ValueError(f"the node {node.label[:20]!r} holds a word and other nodes")
    node.end = len(words)
    if opened:
        opened[-1].child_count += 1
    return node


def children(tree: Tree) -> dict[Span, list[Span]]:
    """Return the children of each inner node from left to right: spans of nodes, and (i, i + 1) for words."""
    children_of: dict[Span, list[Span]] = {}
    ancestors: list[Span] = []
    for span in sort_spans([*tree.spans, *((word, word + 1) for word in range(len(tree.words)))]):
        while ancestors and ancestors[-1][1] <= span[0]:
            ancestors.pop()
        if ancestors:
            children_of[ancestors[-1]].append(span)
        if span[1] - span[0] > 1:
            children_of[span] = []
            ancestors.append(span)
    return children_of


def binarise(tree: Tree, branching: Branching = "right") -> Tree:
    """Return a binary tree: three children become ( a ( b c ) ) if `branching` is right, else ( ( a b ) c )."""
    spans = list(tree.spans)
    for (start, end), parts in children(tree).items():
        spans += [(child[0], end) if branching == "right" else (start, child[1]) for child in parts[1:-1]]
    return Tree(tree.words, tuple(sort_spans(spans)))


def subtree_of(tree: Tree, start: int, end: int) -> Tree:
    """Return the tree over the words from `start` to `end`, with the inner nodes that lie within them."""
    inside = (span for span in tree.spans if start <= span[0] and span[1] <= end)
    return from_spans(tree.words[start:end], ((first - start, last - start) for first, last in inside))


def to_brackets(tree: Tree) -> str:
    """Return the tree as text that `from_unlabelled` reads, '( ( A man ) ( runs . ) )'; a bracket in it is -LRB-."""
    opening, closing = [0] * len(tree.words), [0] * len(tree.words)
    for start, end in tree.spans:
        opening[start] += 1
        closing[end - 1] += 1
    words = (word.replace("(", BRACKETS["("]).replace(")", BRACKETS[")"]) for word in tree.words)
    pieces = (
        ["("] * before + [word] + [")"] * after for before, word, after in zip(opening, words, closing, strict=True)
    )
    return " ".join(chain.from_iterable(pieces))
