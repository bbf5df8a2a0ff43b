import pytest

from attest.data.readers import ENCODINGS, find_source
from attest.data.readers.trec import read_trec
from attest.errors import DataError

LABELS = ("HUM", "NUM")


def read(tmp_path, *lines):
    (tmp_path / "a.label").write_bytes("".join(line + "\n" for line in lines).encode("latin-1"))
    return list(read_trec(find_source(tmp_path, "a.label", encoding=ENCODINGS["trec"]), LABELS))


def test_questions_under_their_coarse_class(tmp_path):
    one, two = read(tmp_path, "HUM:ind Who runs the café ?", "NUM:count How many : two or three ?")
    assert (one.row, one.label, one.sentences, one.parses) == (0, "HUM", ("Who runs the café ?",), (None,))
    assert (two.row, two.label, two.sentences) == (1, "NUM", ("How many : two or three ?",))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected 'CLASS:kind a question', got ''"),
        ("HUM:ind", "expected 'CLASS:kind a question', got 'HUM:ind'"),
        ("HUM:ind  ", "expected 'CLASS:kind a question'"),
        ("HUM Who runs ?", "expected 'CLASS:kind a question'"),
        ("BIRD:ind Who sings ?", "class 'BIRD' is not one of HUM, NUM"),
    ],
)
def test_malformed_rows_name_file_and_line(tmp_path, line, message):
    with pytest.raises(DataError, match=rf"a.label:2: {message}"):
        read(tmp_path, "HUM:ind Who runs ?", line)
