"""A recursive reader of trees in brackets, independent of that of the package; text that is no tree is a ValueError."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass
class Node:
    """A node with a label and either a word or nodes; a trace has neither."""

    label: str
    word: str | None
    children: list["Node"]

    def words(self) -> Iterator[str]:
        """Yield the words from left to right."""
        if self.word is not None:
            yield self.word
        for child in self.children:
            yield from child.words()


def parse_tree(text: str) -> Node:
    """Return a tree with labels."""
    root, rest = read_node(text.lstrip(" "))
    if rest.strip(" ") or not list(root.words()):
        raise ValueError
    return root


def read_node(text: str) -> tuple[Node, str]:
    """Return the node with which the text begins, and the text after it."""
    if not text.startswith("("):
        raise ValueError
    label = re.match(r"[^() ]*", text[1:])[0]
    rest = text[1 + len(label) :].lstrip(" ")
    if word := re.match(r"[^() ]+", rest):
        rest = rest[len(word[0]) :].lstrip(" ")
        if not rest.startswith(")"):
            raise ValueError
        return Node(label, None if label == "-NONE-" else word[0], []), rest[1:]
    children = []
    while rest.startswith("("):
        child, rest = read_node(rest)
        children.append(child)
        rest = rest.lstrip(" ")
    if not children or not rest.startswith(")"):
        raise ValueError
    return Node(label, None, children), rest[1:]


def phrases_of(root: Node, labels: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return start, end and class of each node of a sentiment tree, children before their parent."""
    found: list[tuple[int, int, str]] = []

    def visit(node: Node, start: int) -> int:
        if len(node.children) not in (0, 2) or node.label not in [str(number) for number in range(len(labels))]:
            raise ValueError
        end = start + 1 if node.word is not None else start
        for child in node.children:
            end = visit(child, end)
        found.append((start, end, labels[int(node.label)]))
        return end

    visit(root, 0)
    return found


def binary_brackets(node: Node) -> str:
    """Return the binary tree without labels: more than two parts of a node are grouped to the right."""
    if node.word is not None:
        return node.word
    parts = [binary_brackets(child) for child in node.children if list(child.words())]
    while len(parts) > 1:
        parts[-2:] = [f"( {parts[-2]} {parts[-1]} )"]
    return parts[0]


def parse_unlabelled(text: str) -> list[str]:
    """Return the words of a tree without labels: a word alone, or brackets around at least one word or bracket."""
    pieces = re.findall(r"[()]|[^() ]+", text)

    def read(place: int) -> int:
        if place >= len(pieces) or pieces[place] == ")":
            raise ValueError
        if pieces[place] != "(":
            return place + 1
        place = read(place + 1)
        while place < len(pieces) and pieces[place] != ")":
            place = read(place)
        if place >= len(pieces):
            raise ValueError
        return place + 1

    if read(0) != len(pieces):
        raise ValueError
    return [piece for piece in pieces if piece not in "()"]
