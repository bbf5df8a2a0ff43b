"""Unlabelled F1: how well the trees of a parser agree with those of a treebank."""

from collections.abc import Iterable, Sequence

from attest.syntax.parsers.base import Parser
from attest.syntax.parsers.baselines import BalancedParser, RightBranchingParser
from attest.syntax.trees import Span
from attest.training.parser.treebanks import Treebanks

BASELINES = {"right": RightBranchingParser(), "balanced": BalancedParser()}


def agreement(parser: Parser, treebanks: Treebanks, split: str, name: str = "") -> dict[str, float]:
    """Return the F1 in per cent of the parser on a split: of each treebank, and their mean.

    `name` stands before f1 in the keys, which are like dev/<treebank>/<name>f1 and dev/<name>f1.
    """
    found = {}
    for treebank, trees in treebanks.trees[split].items():
        words = [tree.words for tree in trees]
        found[f"{split}/{treebank}/{name}f1"] = f1([tree.spans for tree in trees], parser.parse(words), map(len, words))
    return {**found, f"{split}/{name}f1": sum(found.values()) / len(found)}


def baselines(treebanks: Treebanks, split: str) -> dict[str, float]:
    """Return the F1 of right-branching and of balanced trees, which depend only on the length of the sentence."""
    found: dict[str, float] = {}
    for name, parser in BASELINES.items():
        found |= agreement(parser, treebanks, split, f"{name}/")
    return found


def f1(gold: Iterable[Sequence[Span]], found: Iterable[Sequence[Span]], lengths: Iterable[int]) -> float:
    """Return the unlabelled F1 in per cent over the spans of all sentences together.

    Spans of single words and of whole sentences do not count, since every tree has them. If there are no other spans,
    F1 is 100.
    """
    right = total = 0
    for one, other, length in zip(gold, found, lengths, strict=True):
        inner, guessed = inner_spans(one, length), inner_spans(other, length)
        right += 2 * len(inner & guessed)
        total += len(inner) + len(guessed)
    return 100 * right / total if total else 100.0


def inner_spans(spans: Sequence[Span], length: int) -> set[Span]:
    """Return the spans of more than one word that are shorter than the sentence."""
    return {(start, end) for start, end in spans if 1 < end - start < length}
