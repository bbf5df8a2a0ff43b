import json

import pytest

from attest.config.settings import Text
from attest.data.readers import find_source
from attest.data.readers.nli import read_nli
from attest.data.text.tokens import uncut_tokens
from attest.errors import DataError

LABELS = ("entailment", "neutral", "contradiction")
ROW = {"gold_label": "neutral", "sentence1": "A cat sleeps.", "sentence2": "It dreams."}


def read(tmp_path, *rows):
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(read_nli(find_source(tmp_path, "a.jsonl"), LABELS))


def test_parses_and_genres_are_used_where_they_are(tmp_path):
    parses = {"sentence1_binary_parse": "( a b )", "sentence2_binary_parse": "c", "genre": "fiction"}
    bare, full, undecided = read(tmp_path, ROW, {**ROW, **parses}, {**ROW, "gold_label": "-"})
    assert (bare.label, bare.sentences, bare.parses, bare.genre) == (
        "neutral",
        ("A cat sleeps.", "It dreams."),
        (None, None),
        None,
    )
    assert (full.parses, full.genre, full.row) == (("( a b )", "c"), "fiction", 1)
    assert undecided.label is None


def test_an_empty_tree_is_none(tmp_path):
    labelled = {"sentence1_parse": "(S (NP (DT A) (NN cat)) (VP (VBZ sleeps)))", "sentence2_parse": ""}
    (example,) = read(tmp_path, {**ROW, **labelled, "sentence1_binary_parse": "", "sentence2_binary_parse": " "})
    assert example.parses == ("( ( A cat ) sleeps )", None)
    assert example.labelled_parses == (labelled["sentence1_parse"], None)
    text = Text(tokens="parse")
    assert uncut_tokens(example.sentences[1], example.parses[1], text) == ["It", "dreams", "."]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "the line is not valid JSON"),
        ("[1, 2]", "expected an object with gold_label"),
        ("[" * 100_000, "the line is not valid JSON"),
        ({**ROW, "gold_label": "maybe"}, "gold_label 'maybe' is not one of entailment, neutral, contradiction, -"),
        ({**ROW, "sentence1": 3}, "field 'sentence1' is 3, not text"),
        ({key: value for key, value in ROW.items() if key != "sentence2"}, "field 'sentence2' is missing"),
        ({**ROW, "sentence1_binary_parse": None}, "field 'sentence1_binary_parse' is None, not text"),
    ],
)
def test_malformed_rows_name_file_and_line(tmp_path, row, message):
    with pytest.raises(DataError, match=rf"a.jsonl:2: {message}"):
        read(tmp_path, ROW, row)
