"""A table of texts, which is drawn in a terminal or written as markdown, CSV or LaTeX."""

import csv
import io
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from attest.errors import escape_unprintable
from attest.reproduction.pages.markdown_parts import escape_links_and_html, table_row

LINE_ENDS = "\r\n"
"""The characters that `table_row` makes spaces."""


@dataclass(frozen=True)
class TextTable:
    """A table whose cells are texts: the first columns name a row, all others hold figures."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1
    """The number of columns that name a row. They are aligned to the left, the others to the right."""


def render_markdown(table: TextTable, escape: Callable[[str], str] = escape_links_and_html) -> str:
    """Return the table as markdown without links or HTML of its texts, with unprintable characters as escapes.

    Pages, which people read as markdown shows them, also `escape` its other signs.
    """
    alignment = ["---"] * table.names + ["---:"] * (len(table.head) - table.names)
    head, *rows = [
        [escape_unprintable(escape(text), keep=LINE_ENDS) for text in row] for row in (table.head, *table.rows)
    ]
    return "\n".join(map(table_row, (head, alignment, *rows)))


def render_csv(table: TextTable) -> str:
    """Return the table as CSV."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([table.head, *table.rows])
    return buffer.getvalue()


def draw(table: TextTable, width: int) -> str:
    """Return the table as lines of at most `width` characters; long texts are broken into several lines.

    If the columns do not fit side by side, each row is a list of its cells.
    """
    from rich import box  # imported here, since a command whose output is piped draws nothing
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    head, *rows = [[escape_unprintable(text) for text in row] for row in (table.head, *table.rows)]
    widths = [max(map(longest_word, column)) for column in zip(head, *rows, strict=True)]
    if sum(widths) + len(widths) > width:
        return "\n\n".join("\n".join(map(": ".join, zip(head, row, strict=True))) for row in rows)
    roomy = sum(widths) + 2 * len(widths) <= width
    drawn = Table(box=box.SIMPLE_HEAD, padding=(0, 1 if roomy else 0, 0, 0), pad_edge=False, show_edge=False)
    for place, name in enumerate(head):
        drawn.add_column(Text(name), justify="left" if place < table.names else "right", overflow="fold")
    for row in rows:
        drawn.add_row(*map(Text, row))
    buffer = io.StringIO()
    Console(file=buffer, width=width, color_system=None, force_terminal=False).print(drawn)
    return "\n".join(line.rstrip() for line in buffer.getvalue().strip("\n").split("\n"))


def longest_word(text: str) -> int:
    """Return the width of the longest word in a text, in columns of a terminal."""
    from rich.cells import cell_len

    return max(map(cell_len, text.split()), default=0)


def for_output(table: TextTable) -> str:
    """Return the table as standard output shows it: drawn to the width of a terminal, else as markdown."""
    return draw(table, shutil.get_terminal_size().columns) if sys.stdout.isatty() else render_markdown(table)
