"""JSON lines: files with a JSON object on each line."""

import json
import re
from typing import Any

from attest.data.files import Source

SURROGATES = re.compile("[\ud800-\udfff]")


def json_object(source: Source, number: int, line: str, content: str) -> dict[str, Any]:
    """Return the JSON object in a line; raise DataError, which names the expected `content`, for any other line."""
    try:
        row = json.loads(line, object_pairs_hook=object_of_pairs)
    except (ValueError, RecursionError) as error:
        raise source.error(number, f"the line is not valid JSON ({error})") from error
    if not isinstance(row, dict):
        raise source.error(number, f"expected an object with {content}, got {line[:40]!r}")
    return row


def object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a JSON object; raise ValueError for a repeated field, whose first value would be lost."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field occurs twice")
    return fields


def check_surrogates(source: Source, number: int, text: str) -> str:
    """Return the text unchanged; raise DataError if it holds half of a surrogate pair, which is no character."""
    if SURROGATES.search(text):
        raise source.error(number, "malformed escape: half of a surrogate pair")
    return text
