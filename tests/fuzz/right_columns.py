"""A reader that is right, for files whose columns the settings name: tsv, csv letter by letter, and JSON lines."""

import json
from collections.abc import Iterator, Mapping, Sequence

from fuzz.right_lines import Malformed, Row, distinct, make_row, one_of, right_text, score_of, text_lines

MOST_LETTERS = 131072
"""The most letters of a cell that Python's csv module reads."""


def right_columns(
    kind: str, content: bytes, columns: Mapping[str, str | int], labels: Sequence[str], splits: Sequence[str] = ()
) -> list[Row]:
    records = json_records(content, columns) if kind == "jsonl" else table_records(kind, content, columns)
    rows = []
    for row, (number, texts) in enumerate(records):
        score = score_of(number, texts["score"], 1, 5) if "score" in texts else None
        label = texts.get("label") or (labels[int(score + 0.5) - 1] if score and "label" not in texts else "")
        split = one_of(number, texts["split"], splits) if "split" in texts else None
        sentences = tuple(text for role, text in texts.items() if role.startswith("sentence"))
        rows.append(make_row(row, one_of(number, label, labels), sentences, score=score, split=split))
    return rows


def json_records(content: bytes, columns: Mapping[str, str | int]) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in text_lines(content):
        try:
            row = json.loads(line, object_pairs_hook=distinct)
            yield number, {role: json_text(row[name], role) for role, name in columns.items()}
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Malformed(number) from None


def json_text(value: object, role: str) -> str:
    if role.startswith("sentence") or isinstance(value, str):
        return right_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError
    return str(value).removesuffix(".0")


def table_records(kind: str, content: bytes, columns: Mapping[str, str | int]) -> Iterator[tuple[int, dict[str, str]]]:
    rows = csv_rows(content) if kind == "csv" else ((number, line.split("\t")) for number, line in text_lines(content))
    places: dict[str, int] = {}
    width = 0
    for number, cells in rows:
        if not places:
            width = len(cells)
            if any(cells.count(str(name)) != 1 for name in columns.values()):
                raise Malformed(number)
            places = {role: cells.index(str(name)) for role, name in columns.items()}
        elif len(cells) != width:
            raise Malformed(number)
        else:
            yield number, {role: cells[place] for role, place in places.items()}


def csv_rows(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line where it begins; a row ends with the first line end outside of quotation marks."""
    start, cells, cell, state = 0, [], "", "row"
    for number, line in text_lines(content):
        if state == "row":
            start, cells, cell, state = number, [], "", "field"
        for letter in f"{line}\n":
            if state == "quoted":
                state, cell = ("after", cell) if letter == '"' else ("quoted", cell + letter)
            elif state == "ended":
                if letter not in "\r\n":
                    raise Malformed(start)
            elif letter == '"' and state == "field":
                state = "quoted"
            elif letter == '"' and state == "after":
                state, cell = "quoted", f'{cell}"'
            elif letter in ",\r\n":
                cells, cell, state = [*cells, cell], "", "field" if letter == "," else "ended"
            elif state == "after":
                raise Malformed(start)
            else:
                state, cell = "plain", cell + letter
            if len(cell) > MOST_LETTERS:
                raise Malformed(start)
        if state == "ended":
            yield start, cells
            state = "row"
    if state != "row":
        raise Malformed(start)
