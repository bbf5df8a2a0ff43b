"""Data sets of the user's own: columns of a tsv or csv file, or fields of JSON lines, which the settings name."""

import csv
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from attest.data.files.source import MAX_LINE_BYTES, Source
from attest.data.readers.example import Example
from attest.data.readers.fields import excerpt, not_one_of, parse_count, parse_decimal
from attest.data.readers.json_lines import json_object, text_field, typed_field

SENTENCES = (("sentence",), ("sentence1", "sentence2"))
"""The roles of columns that hold text: a sentence, or a pair of sentences."""
ROLES = ("sentence", "sentence1", "sentence2", "label", "score", "split", "fold")
"""The roles that columns can have."""
HIGHEST_GRADE = 5
"""The highest score. The lowest one follows from the number of grades, as dataset.grades says."""

MAX_FOLD = 9_999
"""The highest number of a fold. Larger numbers are those of another column."""

LONE_RETURNS = "the lines end with a carriage return (CR) alone; save the file with line ends of Unix or Windows"
"""The error of a file whose line ends are those of the first Macintosh."""


@dataclass(frozen=True)
class Columns:
    """The columns of a file, and what they may hold."""

    names: Mapping[str, str | int]
    """The role of a column -> its name, or its number from 1 in files without a line of names."""
    grades: int
    """The number of grades of a score."""
    splits: Collection[str]
    """The values of the column `split`."""

    @property
    def sentences(self) -> list[str]:
        """The roles of the columns with text."""
        return sorted(role for role in self.names if role.startswith("sentence"))


def read_columns(kind: str, columns: Columns, source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every row of a file of one of the formats in COLUMN_READERS.

    If a row has a score and no label, its label is the grade to which the score rounds.
    """
    lowest = HIGHEST_GRADE + 1 - columns.grades
    for row, (number, texts) in enumerate(COLUMN_READERS[kind](source, columns.names)):
        score = None
        if "score" in texts:
            score = parse_decimal(
                source, number, texts["score"], lowest, HIGHEST_GRADE, column_name(columns.names["score"])
            )
        label = labels[int(score + 0.5) - lowest] if score is not None and "label" not in texts else texts["label"]
        if label not in labels:
            raise source.error(number, not_one_of(column_name(columns.names["label"]), label, labels))
        if (split := texts.get("split")) is not None and split not in columns.splits:
            raise source.error(number, not_one_of(column_name(columns.names["split"]), split, columns.splits))
        fold = parse_fold(source, number, texts["fold"], columns.names["fold"]) if "fold" in texts else None
        sentences = tuple(texts[role] for role in columns.sentences)
        yield Example(source, number, row, label, sentences, score=score, split=split, fold=fold)


def parse_fold(source: Source, number: int, text: str, column: str | int) -> int:
    """Return the number of the fold that line `number` names."""
    fold = parse_count(text)
    if fold is None or fold > MAX_FOLD:
        raise source.error(number, f"{column_name(column)} {excerpt(text)} is not a whole number from 0 to {MAX_FOLD}")
    return fold


def read_json_rows(source: Source, columns: Mapping[str, str | int]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line of each JSON object, and its fields as texts by role. Labels, splits, folds and scores may be
    numbers, and labels true and false."""
    wanted = ", ".join(map(str, columns.values()))
    for number, line in source.lines():
        row = json_object(source, number, line, wanted)
        yield number, {role: json_text(source, number, row, role, str(name)) for role, name in columns.items()}


def json_text(source: Source, number: int, row: dict[str, Any], role: str, name: str) -> str:
    """Return the field that has a role, as text."""
    if role == "label" and isinstance(row.get(name), bool):
        return json.dumps(row[name])
    if role in ("label", "score", "split", "fold"):
        value = typed_field(source, number, row, name, (str, int, float), "text or a number")
        return value if isinstance(value, str) else number_text(value)
    return text_field(source, number, row, name)


def number_text(value: int | float) -> str:
    """Return a number in digits, as 0.00005 for 5e-05; a whole number has no point, and zero no sign."""
    return format(Decimal(str(value + 0)), "f").removesuffix(".0")


def read_table_rows(
    rows: Iterator[tuple[int, list[str]]], source: Source, columns: Mapping[str, str | int]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line of each row, and its cells by role. Every row needs as many columns as the first."""
    width, indices = 0, {role: int(name) - 1 for role, name in columns.items() if isinstance(name, int)}
    for number, cells in rows:
        if not width:
            width = len(cells)
            if not indices:
                indices = {role: column_index(source, number, cells, str(name)) for role, name in columns.items()}
                continue
            if max(indices.values()) >= width:
                raise source.error(number, f"expected {max(indices.values()) + 1} columns or more, got {width}")
        if cells == [""] and width > 1:
            raise source.error(number, "the line is empty; delete it")
        if len(cells) != width:
            raise source.error(number, f"expected {width} columns, as in the first line, got {len(cells)}")
        yield number, {role: cells[i] for role, i in indices.items()}


def column_index(source: Source, number: int, names: Sequence[str], name: str) -> int:
    """Return the index of the column `name`, which the first line must name once."""
    if names.count(name) != 1:
        if any("\r" in cell for cell in names):
            raise source.error(number, LONE_RETURNS)
        known = ", ".join(map(excerpt, names[:20]))
        if name in names:
            message = f"the first line names the column {name} twice or more: {known}; rename one of them"
        else:
            message = f"the first line names no column {name}, but {known}"
            if not source.own:  # the commands that read a user's own file add their options to the error
                message += "; rename a column in the file or set dataset.columns.ROLE to one of these names"
        raise source.error(number, message)
    return names.index(name)


def read_tsv_rows(source: Source, columns: Mapping[str, str | int]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a file whose columns are separated by tabs. Quotation marks are text."""
    yield from read_table_rows(((number, line.split("\t")) for number, line in source.lines()), source, columns)


def read_csv_rows(source: Source, columns: Mapping[str, str | int]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a file whose columns are separated by commas.

    A cell in quotation marks may hold commas, line ends, and quotation marks that are doubled.
    """
    yield from read_table_rows(csv_rows(source), source, columns)


def csv_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the line at which each row of a csv file begins, and its cells."""
    csv.field_size_limit(MAX_LINE_BYTES)  # 131,072 characters by default; lines are limited already
    reader = csv.reader((f"{line}\n" for _, line in source.lines()), strict=True)
    while True:
        start = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if start == 1 and "new-line character" in str(error):
                raise source.error(start, LONE_RETURNS) from error
            raise source.error(start, f"the row is not valid csv ({error})") from error
        yield start, cells or [""]


COLUMN_READERS: dict[str, Callable[[Source, Mapping[str, str | int]], Iterator[tuple[int, dict[str, str]]]]] = {
    "tsv": read_tsv_rows,
    "csv": read_csv_rows,
    "jsonl": read_json_rows,
}
"""A file format with columns -> a function that yields the line number of each row, and its cells by role."""


def column_name(name: str | int) -> str:
    """Return how an error names a column that the settings give by its name or number."""
    return f"column {name}" if isinstance(name, int) else name
