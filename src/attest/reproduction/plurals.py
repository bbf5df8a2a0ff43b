"""Numbers of things as text, in the singular or the plural."""

from collections.abc import Collection


def pluralize(number: int, noun: str) -> str:
    """Return a number with its noun, as "1 run" or "1,200 runs"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def pluralize_range(numbers: Collection[int], noun: str) -> str:
    """Return the range of some numbers with their noun, as "1 to 3 runs", or as "3 runs" if all are equal."""
    low, high = min(numbers), max(numbers)
    return pluralize(high, noun) if low == high else f"{low:,} to {pluralize(high, noun)}"
