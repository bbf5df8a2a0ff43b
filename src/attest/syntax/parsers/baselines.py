"""Trees that know nothing of the sentence but its length."""

from collections.abc import Sequence

from attest.syntax.parsers.base import Parser
from attest.syntax.trees import Span


class BalancedParser(Parser):
    """Every phrase falls into two halves, of which the left one has the odd word."""

    identity = "balanced 1"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        return [balanced_spans(len(sentence)) for sentence in sentences]


class RightBranchingParser(Parser):
    """Every phrase is its first word and the rest."""

    identity = "right 1"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        return [[(start, len(sentence)) for start in range(len(sentence) - 1)] for sentence in sentences]


def balanced_spans(number: int) -> list[Span]:
    found: list[Span] = []
    waiting = [(0, number)]
    while waiting:
        start, end = waiting.pop()
        if end - start > 1:
            middle = start + (end - start + 1) // 2
            found.append((start, end))
            waiting += [(start, middle), (middle, end)]
    return found
