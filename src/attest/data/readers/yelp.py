"""Reviews with one to five stars: `yelp_review_full` (Zhang et al. 2015) and the JSON lines of the Yelp challenge."""

import json
import re
from collections.abc import Iterator, Sequence

from attest.data.files.source import Source
from attest.data.readers.example import Example
from attest.data.readers.fields import excerpt
from attest.data.readers.json_lines import check_surrogates, json_object, text_field, typed_field

ROW = re.compile(r'"([0-9]+)","([^"]*(?:""[^"]*)*)"')
"""The pattern of a csv row, with stars and text. Quotation marks are doubled, and line ends are written \\n."""
ESCAPED_OR_BARE = re.compile(r'\\.|"')
"""The pattern of an escape or of a quotation mark without one."""


def read_yelp(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every review of the file, including empty ones. A line that begins with { is JSON, any other is csv."""
    for number, line in source.lines():
        stars, text = (
            parse_json_row(source, number, line) if line.startswith("{") else parse_csv_row(source, number, line)
        )
        if stars not in labels:
            raise source.error(number, f"{stars[:40]} stars are not one of {', '.join(labels)}")
        yield Example(source, number, row=number - 1, label=stars, sentences=(text,))


def parse_csv_row(source: Source, number: int, line: str) -> tuple[str, str]:
    """Return the stars and the text of a row such as '"4","Good soup.\\nWarm, too."'; escapes are those of JSON."""
    row = ROW.fullmatch(line)
    if row is None:
        raise source.error(number, f'expected \'"stars","text"\', got {excerpt(line)}')
    stars, text = row[1], row[2].replace('""', '"')
    quoted = ESCAPED_OR_BARE.sub(lambda match: match[0] if len(match[0]) == 2 else r"\"", text)
    try:
        return stars, check_surrogates(source, number, json.loads(f'"{quoted}"', strict=False))
    except json.JSONDecodeError as error:
        raise source.error(number, f"malformed escape in the text ({error.msg})") from error


def parse_json_row(source: Source, number: int, line: str) -> tuple[str, str]:
    """Return the stars and the text of a row such as {"stars": 4.0, "text": "Good soup.", ...}."""
    row = json_object(source, number, line, "stars and text")
    stars = typed_field(source, number, row, "stars", (int, float), "a number")
    return str(stars).removesuffix(".0"), text_field(source, number, row, "text")
