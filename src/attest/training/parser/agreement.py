"""Unlabelled F1: how well the trees of a parser agree with those of a treebank."""

from collections.abc import Iterable, Sequence

from attest.syntax.parsers.base import Parser
from attest.syntax.parsers.baselines import BalancedParser, RightBranchingParser
from attest.syntax.trees import Span
from attest.training.parser.treebanks import Treebanks

BASELINES = {"right": RightBranchingParser(), "balanced": BalancedParser()}


def agreement(parser: Parser, treebanks: Treebanks, split: str, name: str = "") -> dict[str, float]:
    """F1 with the trees of each treebank, and its mean."""
    found = {}
    for treebank, trees in treebanks.trees[split].items():
        words = [tree.words for tree in trees]
        found[f"{split}/{treebank}/{name}f1"] = f1([tree.spans for tree in trees], parser.parse(words), map(len, words))
    return {**found, f"{split}/{name}f1": sum(found.values()) / len(found)}


def baselines(treebanks: Treebanks, split: str) -> dict[str, float]:
    """What trees come to that know nothing of the sentence but its length."""
    found: dict[str, float] = {}
    for name, parser in BASELINES.items():
        found |= agreement(parser, treebanks, split, f"{name}/")
    return found


def f1(gold: Iterable[Sequence[Span]], found: Iterable[Sequence[Span]], lengths: Iterable[int]) -> float:
    """Unlabelled F1 in per cent, of all sentences together. Words and whole sentences do not count, since every tree
    has them; where there is nothing else to find, all of it is found."""
    right = total = 0
    for one, other, length in zip(gold, found, lengths, strict=True):
        inner, guessed = inner_spans(one, length), inner_spans(other, length)
        right += 2 * len(inner & guessed)
        total += len(inner) + len(guessed)
    return 100 * right / total if total else 100.0


def inner_spans(spans: Sequence[Span], length: int) -> set[Span]:
    return {(start, end) for start, end in spans if 1 < end - start < length}
