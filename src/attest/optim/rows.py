"""What becomes of word vectors that a batch does not contain."""

from typing import Literal, get_args

Rows = Literal["touched", "dense"]


def check_rows(rows: Rows) -> None:
    if rows not in get_args(Rows):
        raise ValueError(f"rows is touched or dense; got {rows!r}")
