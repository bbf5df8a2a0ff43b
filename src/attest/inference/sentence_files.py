"""Files of a user's own sentences or pairs of sentences: text, columns separated by tabs, or JSON lines."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, cast

from attest.data.files.archives import reason
from attest.data.files.source import Source
from attest.data.readers import Example
from attest.data.readers.fields import excerpt, split_columns
from attest.data.readers.json_lines import check_surrogates, json_object, text_field
from attest.errors import SettingsError

Format = Literal["txt", "tsv", "jsonl"]
FORMATS: tuple[Format, ...] = ("txt", "tsv", "jsonl")
FIELDS = {1: ("sentence",), 2: ("sentence1", "sentence2")}
"""Number of sentences in an example -> the fields of JSON that hold them."""
CONTENT = {1: "a sentence", 2: "two sentences separated by a tab"}


@dataclass(frozen=True)
class SentenceFile:
    """A file of examples that can be read several times."""

    source: Source
    form: Format
    """The format: a sentence a line (txt), a column for each sentence (tsv), or JSON lines (jsonl)."""
    sides: int
    """The number of sentences in an example: 1, or 2 for pairs."""

    def examples(self) -> Iterator[Example]:
        """Yield the example of each line, without a label; raise DataError for a malformed line."""
        for number, line in self.source.lines():
            yield Example(self.source, number, row=number - 1, label=None, sentences=self.parse(number, line))

    def parse(self, number: int, line: str) -> tuple[str, ...]:
        """Return the sentences of a line; a line of JSON is a string or an object with the FIELDS."""
        if self.form == "txt":
            return (line,)
        if self.form == "tsv":
            return tuple(split_columns(self.source, number, line, (self.sides,), CONTENT[self.sides]))
        if self.sides == 1 and line.lstrip().startswith('"'):
            return (self.parse_string(number, line),)
        row = json_object(self.source, number, line, " and ".join(FIELDS[self.sides]))
        return tuple(text_field(self.source, number, row, field) for field in FIELDS[self.sides])

    def parse_string(self, number: int, line: str) -> str:
        """Return the sentence that a line holds as a JSON string."""
        try:
            return check_surrogates(self.source, number, json.loads(line))
        except ValueError as error:
            raise self.source.error(number, f"{excerpt(line)} is not valid JSON ({reason(error)})") from error


def ending(path: PurePath) -> str:
    """Return the ending of a file's name without its dot, as tsv for a.TSV and for a.tsv.xz; empty without one."""
    return (path.with_suffix("") if path.suffix == ".xz" else path).suffix.removeprefix(".").lower()


def sentence_file(source: Source, form: str | None, sides: int) -> SentenceFile:
    """Return a file of examples in a format, by default that of its name's ending.

    Raise SettingsError if the format is unknown, or has no place for two sentences.
    """
    name = form or ending(source.path)
    if name not in FORMATS:
        raise SettingsError(
            f"{source}: cannot tell its format; give it a name that ends in .{', .'.join(FORMATS)}, or add --format to "
            "`attest encode` or `attest predict`"
        )
    if name == "txt" and sides == 2:
        raise SettingsError(f"{source}: the run labels pairs, but txt holds single sentences; use tsv or jsonl")
    return SentenceFile(source, cast(Format, name), sides)
