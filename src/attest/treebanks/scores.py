"""How well trees agree."""

from collections.abc import Iterable, Sequence

from attest.syntax.trees import Span


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
