import pytest

from attest.data.readers import ENCODINGS, find_source
from attest.data.readers.lines import read_lines
from attest.errors import DataError


def read(tmp_path, content: bytes):
    (tmp_path / "a.neg").write_bytes(content)
    return list(read_lines(find_source(tmp_path, "a.neg", encoding=ENCODINGS["lines"]), ("negative",)))


def test_every_line_is_a_sample_also_an_empty_one(tmp_path):
    examples = read(tmp_path, b"too long \n\na caf\xe9\x85 with no tea\nlast\n\n")
    assert [example.sentences for example in examples] == [
        ("too long ",), ("",), ("a café\x85 with no tea",), ("last",), ("",)
    ]  # fmt: skip
    assert {example.label for example in examples} == {"negative"}
    assert [example.row for example in examples] == [0, 1, 2, 3, 4]


def test_zero_bytes_are_damage_and_not_text(tmp_path):
    with pytest.raises(DataError, match=r"a.neg:2: the line holds a zero byte"):
        read(tmp_path, b"fine\nda\0\0ged\n")
