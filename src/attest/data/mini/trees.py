"""Generated sentences with their trees.

A tree is (label, child, child, ...); a leaf is (part of speech, word).
"""

from typing import Any

Tree = tuple[Any, ...]


def is_leaf(tree: Tree) -> bool:
    """Return whether a tree is a single word with its part of speech."""
    return isinstance(tree[1], str)


def words(tree: Tree) -> list[str]:
    """Return the words of a tree."""
    return [tree[1]] if is_leaf(tree) else [word for child in tree[1:] for word in words(child)]


def sentence(tree: Tree) -> str:
    """Return the sentence of a tree as plain text: the first letter is a capital, no space before the full stop."""
    text = " ".join(words(tree)).replace(" .", ".")
    return text[0].upper() + text[1:]


def capitalise(tree: Tree) -> Tree:
    """Return the tree with a capital as the first letter of its first word."""
    if is_leaf(tree):
        return (tree[0], tree[1][0].upper() + tree[1][1:])
    return (tree[0], capitalise(tree[1]), *tree[2:])


def to_labelled_brackets(tree: Tree) -> str:
    """Return a tree in the Penn Treebank's format, (S (NP (DT The) (NN dog)) ...)."""
    content = tree[1] if is_leaf(tree) else " ".join(to_labelled_brackets(child) for child in tree[1:])
    return f"({tree[0]} {content})"


def to_binary_brackets(tree: Tree) -> str:
    """Return a binary tree without labels, ( ( The dog ) ( sleeps . ) ).

    Unary nodes are dropped, and more than two children of a node are grouped to the right.
    """
    if is_leaf(tree):
        return tree[1]
    *left_siblings, text = (to_binary_brackets(child) for child in tree[1:])
    for sibling in reversed(left_siblings):
        text = f"( {sibling} {text} )"
    return text
