"""Numbers of things as text, in the singular or the plural."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, as "1 run" or "1,200 runs"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
