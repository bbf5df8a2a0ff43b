"""JSON lines: files with a JSON object on each line."""

import json
import re
from typing import Any

from attest.data.files.archives import reason
from attest.data.files.source import Source
from attest.data.readers.fields import excerpt

SURROGATES = re.compile("[\ud800-\udfff]")


def json_object(source: Source, number: int, line: str, content: str) -> dict[str, Any]:
    """Return the JSON object in a line; raise DataError, which names the expected `content`, for any other line."""
    try:
        row = DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        raise source.error(number, f"the line is not valid JSON ({reason(error)})") from error
    if not isinstance(row, dict):
        raise source.error(number, f"expected an object with {content}, got {excerpt(line)}")
    return row


def object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a JSON object; raise ValueError for a repeated field, whose first value would be lost."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field occurs twice")
    return fields


DECODER = json.JSONDecoder(object_pairs_hook=object_of_pairs)


def typed_field(
    source: Source, number: int, row: dict[str, Any], key: str, kinds: tuple[type, ...], kind_name: str
) -> Any:
    """Return field `key` of a row, which must have one of the types `kinds`; True and False count as no numbers."""
    if key not in row:
        raise source.error(number, f"field {key!r} is missing")
    value = row[key]
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise source.error(number, f"field {key!r} is {excerpt(value)}, not {kind_name}")
    return check_surrogates(source, number, value) if isinstance(value, str) else value


def text_field(source: Source, number: int, row: dict[str, Any], key: str) -> str:
    """Return the text of field `key` of a row."""
    value = row.get(key)
    if type(value) is str and value.isascii():  # nearly every field, and a row of SNLI has nine
        return value
    return typed_field(source, number, row, key, (str,), "text")


def check_surrogates(source: Source, number: int, text: str) -> str:
    """Return the text unchanged; raise DataError if it holds half of a surrogate pair, which is not a character."""
    if not text.isascii() and SURROGATES.search(text):
        raise source.error(number, "malformed escape: half of a surrogate pair")
    return text
