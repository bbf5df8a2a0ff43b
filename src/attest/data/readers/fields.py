"""Fields of a line of an official file: columns, column names, numbers and classes, each checked in one place."""

import re
import reprlib
from collections.abc import Collection, Sequence
from itertools import zip_longest

from attest.data.files.source import Source

DECIMAL = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
"""The pattern of a score. float() also reads signs, spaces, underscores, other digits than 0 to 9, inf and nan."""
COUNT = re.compile(r"0|[1-9][0-9]{0,17}")
"""The pattern of a number of rows or columns. int() also reads signs and so on, and raises beyond 4,300 digits."""
MAX_EXCERPT = 40


def excerpt(value: object) -> str:
    """Return the beginning of a value from a file, quoted and escaped, for a message."""
    return repr(value[:MAX_EXCERPT]) if isinstance(value, str) else reprlib.repr(value)


def split_columns(
    source: Source,
    number: int,
    line: str,
    counts: Collection[int],
    wanted: str = "",
    separator: str = "\t",
) -> list[str]:
    """Return the columns of line `number`, which must be as many as `counts` allows.

    The error names what was `wanted` or, without it, the numbers of columns.
    """
    columns = line.split(separator)
    if len(columns) not in counts:
        if wanted:
            raise source.error(number, f"expected {wanted}, got {excerpt(line)}")
        numbers = " or ".join(map(str, counts))
        raise source.error(number, f"expected {numbers} columns separated by tabs, got {len(columns)}")
    return columns


def check_header(source: Source, line: str, layouts: Sequence[Sequence[str]]) -> list[str]:
    """Return the column names in the first line, which must be those of one of the `layouts`."""
    names = line.split("\t")
    if any(names == list(layout) for layout in layouts):
        return names
    nearest = max(layouts, key=lambda layout: len(set(layout) & set(names)))
    pairs = enumerate(zip_longest(names, nearest), 1)
    column, name = next((column, name) for column, (name, right) in pairs if name != right)
    problem = "is missing" if name is None else f"is {excerpt(name)}"
    message = f"the first line must hold the column names {', '.join(nearest)}, separated by tabs, but column {column}"
    raise source.error(1, f"{message} {problem}")


def parse_decimal(source: Source, number: int, text: str, lowest: float, highest: float, name: str = "") -> float:
    """Return the number that `text` holds in line `number`: digits with at most one point; an error calls it `name`."""
    if not DECIMAL.fullmatch(text):
        problem = f"{excerpt(text)} is not a number such as {highest:.1f}"
    elif not lowest <= float(text) <= highest:
        problem = f"{text[:MAX_EXCERPT]} is not from {lowest:.0f} to {highest:.0f}"
    else:
        return float(text)
    raise source.error(number, f"{name} {problem}".lstrip())


def parse_count(text: str) -> int | None:
    """Return the number of rows or columns that `text` holds, or None if it holds anything else."""
    return int(text) if COUNT.fullmatch(text) else None


def numbered_classes(labels: Sequence[str]) -> dict[str, str]:
    """Return the name of each class by its number as files write it: 0, 1, 2, ..."""
    return {str(number): label for number, label in enumerate(labels)}


def not_one_of(name: str, value: str, choices: Collection[str]) -> str:
    """Return the error text for a field `name` whose value is not among the choices."""
    return f"{name} {excerpt(value)} is not one of {', '.join(choices)}"
