"""The width of text that commands print."""

from shutil import get_terminal_size

MAX_WIDTH = 110
"""The largest number of characters in a line."""


def line_width() -> int:
    """Return the largest number of characters in a line: that of the terminal, up to MAX_WIDTH."""
    return min(MAX_WIDTH, get_terminal_size().columns)
