"""The formats of files whose columns the settings name."""

import json
from collections.abc import Mapping, Sequence
from functools import partial

from fuzz import row_damages as rows
from fuzz.damages import Damage
from fuzz.format import Format, text
from fuzz.package_readers import read_file_with_columns
from fuzz.right_columns import right_columns

from attest.data.readers.columns import Columns

VERDICTS = [("fine", "good"), ("dull", "bad"), ("grand", "good")]


def of_columns(
    kind: str, columns: Mapping[str, str | int], labels, content: bytes, damages: Sequence[Damage]
) -> Format:
    """Return a format whose columns the settings name."""
    file_columns = Columns(columns, 5, ("train", "test"))
    return Format(
        {"rows": content}, partial(read_file_with_columns, kind, file_columns, labels),
        lambda files: right_columns(kind, files["rows"], columns, labels, file_columns.splits), damages,
    )  # fmt: skip


def column_formats() -> dict[str, Format]:
    """Return the formats by name."""
    graded = {"sentence1": "a", "sentence2": "b", "score": "how", "split": "set"}
    columns, stars = {"sentence": "text", "label": "verdict"}, {"sentence": "text", "label": "stars"}
    scores = [
        f"{split}\tA dog .\tA cat .\t{n}.5" for n, split in zip((1, 2, 3, 4) * 2, ("train", "test") * 4, strict=True)
    ]
    no_number = rows.on_columns(b"\t", rows.no_number)
    verdicts = [(f"It is{end} {word} .", verdict) for end in ("", ', say "we",', ",\n") for word, verdict in VERDICTS]
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in (verdict, text)) for text, verdict in verdicts]
    judged = [json.dumps({"text": text, "stars": 5 if verdict == "good" else 1.0}) for text, verdict in verdicts]
    return {
        "tsv": of_columns(
            "tsv", graded, tuple("12345"), text(["set\ta\tb\thow", *scores]), [*rows.COLUMNS, no_number]
        ),
        "csv": of_columns(
            "csv", columns, ("bad", "good"), text(["verdict,text", *quoted, "good,plain"]), [rows.quote_more]
        ),
        "jsonl": of_columns("jsonl", stars, tuple("15"), text(judged), rows.REVIEW_ROWS),
    }  # fmt: skip
