"""Baseline parsers, whose trees depend only on the length of the sentence."""

from collections.abc import Sequence

from attest.syntax.parsers.base import Parser
from attest.syntax.trees import Span


class BalancedParser(Parser):
    """A parser that divides each phrase into two halves; the left half takes the odd word."""

    identity = "balanced 1"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        return [balanced_spans(len(sentence)) for sentence in sentences]


class RightBranchingParser(Parser):
    """A parser that divides each phrase into its first word and the rest."""

    identity = "right 1"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        return [[(start, len(sentence)) for start in range(len(sentence) - 1)] for sentence in sentences]


def balanced_spans(words: int) -> list[Span]:
    """Return the inner nodes of the tree over `words` words that divides every span in half."""
    spans: list[Span] = []
    undivided = [(0, words)]
    while undivided:
        start, end = undivided.pop()
        if end - start > 1:
            middle = start + (end - start + 1) // 2
            spans.append((start, end))
            undivided += [(start, middle), (middle, end)]
    return spans
