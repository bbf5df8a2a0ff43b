"""Lines of JSON, each one object."""

import json
import re
from typing import Any

from attest.data.files import Source

SURROGATES = re.compile("[\ud800-\udfff]")


def json_object(source: Source, number: int, line: str, wanted: str) -> dict[str, Any]:
    """The object of one line; `wanted` says what it should hold."""
    try:
        row = json.loads(line, object_pairs_hook=object_of_pairs)
    except (ValueError, RecursionError) as error:
        raise source.error(number, f"not a line of JSON ({error})") from error
    if not isinstance(row, dict):
        raise source.error(number, f"expected an object with {wanted}, got {line[:40]!r}")
    return row


def object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """What Python makes of an object, which drops the first of two values under one name."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands twice")
    return found


def check_surrogates(source: Source, number: int, text: str) -> str:
    """A text that escapes may have put together, if it is one."""
    if SURROGATES.search(text):
        raise source.error(number, "malformed escape: half of a surrogate pair")
    return text
