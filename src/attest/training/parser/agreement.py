"""Unlabelled F1: how well the trees of a parser agree with those of a treebank."""

from collections.abc import Iterable, Sequence

from attest.syntax.parsers.base import Parser
from attest.syntax.parsers.baselines import BalancedParser, RightBranchingParser
from attest.syntax.trees import Span, Tree
from attest.training.parser.treebanks import Treebanks

BASELINES = {"right": RightBranchingParser(), "balanced": BalancedParser()}


def treebank_f1(parser: Parser, treebanks: Treebanks, split: str, name: str = "") -> dict[str, float]:
    """Return the parser's F1 in percent on a split of each treebank, as dev/TREEBANK/f1, and their mean, as dev/f1.

    `name` is put in front of f1, so that "right/" gives dev/TREEBANK/right/f1 and dev/right/f1.
    """
    scores = {}
    for treebank, trees in treebanks.trees[split].items():
        scores[f"{split}/{treebank}/{name}f1"] = trees_f1(parser, trees)
    return {**scores, f"{split}/{name}f1": sum(scores.values()) / len(scores)}


def baseline_f1(treebanks: Treebanks, split: str) -> dict[str, float]:
    """Return the F1 of right-branching and of balanced trees, in the form of `treebank_f1`."""
    scores: dict[str, float] = {}
    for name, parser in BASELINES.items():
        scores |= treebank_f1(parser, treebanks, split, f"{name}/")
    return scores


def trees_f1(parser: Parser, trees: Sequence[Tree]) -> float:
    """Return the parser's F1 in percent against trees."""
    words = [tree.words for tree in trees]
    return f1([tree.spans for tree in trees], parser.parse(words), map(len, words))


def f1(gold: Iterable[Sequence[Span]], predicted: Iterable[Sequence[Span]], lengths: Iterable[int]) -> float:
    """Return the unlabelled F1 in percent over the spans of all sentences together.

    Spans of single words and of whole sentences do not count, since every tree has them. If there are no other spans,
    F1 is 100.
    """
    right = total = 0
    for gold_spans, predicted_spans, length in zip(gold, predicted, lengths, strict=True):
        expected, given = inner_spans(gold_spans, length), inner_spans(predicted_spans, length)
        right += 2 * len(expected & given)
        total += len(expected) + len(given)
    return 100 * right / total if total else 100.0


def inner_spans(spans: Sequence[Span], length: int) -> set[Span]:
    """Return the spans of at least two words that do not cover the whole sentence of `length` words."""
    return {(start, end) for start, end in spans if 1 < end - start < length}
