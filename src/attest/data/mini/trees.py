"""Sentences with their phrase structure.

A tree is (label, child, child, ...); a leaf is (part of speech, word).
"""

from typing import Any

Tree = tuple[Any, ...]


def is_leaf(tree: Tree) -> bool:
    return isinstance(tree[1], str)


def words(tree: Tree) -> list[str]:
    return [tree[1]] if is_leaf(tree) else [word for child in tree[1:] for word in words(child)]


def sentence(tree: Tree) -> str:
    """As people write it: a capital in front, no space before the full stop."""
    text = " ".join(words(tree)).replace(" .", ".")
    return text[0].upper() + text[1:]


def capitalise(tree: Tree) -> Tree:
    """The same tree with a capital on its first word."""
    if is_leaf(tree):
        return (tree[0], tree[1][0].upper() + tree[1][1:])
    return (tree[0], capitalise(tree[1]), *tree[2:])


def to_brackets(tree: Tree) -> str:
    """(S (NP (DT The) (NN dog)) ...): the Penn Treebank's form."""
    inside = tree[1] if is_leaf(tree) else " ".join(to_brackets(child) for child in tree[1:])
    return f"({tree[0]} {inside})"


def to_binary_brackets(tree: Tree) -> str:
    """( ( The dog ) ( sleeps . ) ): no labels, unary nodes dropped, more than two children grouped to the right."""
    if is_leaf(tree):
        return tree[1]
    *others, text = (to_binary_brackets(child) for child in tree[1:])
    for other in reversed(others):
        text = f"( {other} {text} )"
    return text
