import pytest

from attest.data.readers import find_source
from attest.data.readers.sts import read_stsb
from attest.errors import DataError

GRADES = ("0", "1", "2", "3", "4", "5")
ROW = 'main-news\theadlines\t2013\t0007\t2.500\tA dog "runs".\tA dog sits.'


def read(tmp_path, *lines):
    (tmp_path / "sts-dev.csv").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return list(read_stsb(find_source(tmp_path, "sts-dev.csv"), GRADES))


def test_a_pair_its_score_and_the_grade_next_to_it(tmp_path):
    one, two = read(tmp_path, ROW, ROW.replace("2.500", "0") + "\there\tthere")
    assert (one.row, one.label, one.score, one.genre) == (0, "3", 2.5, "headlines")
    assert one.sentences == ('A dog "runs".', "A dog sits.")
    assert (two.row, two.label, two.score, two.sentences) == (1, "0", 0.0, one.sentences)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected 7 or 9 columns separated by tabs, got 1"),
        (ROW + "\tmore", "expected 7 or 9 columns separated by tabs, got 8"),
        (ROW.replace("2.500", "high"), "'high' is not a number"),
        (ROW.replace("2.500", "5.1"), "5.1 is not from 0 to 5"),
        (ROW.replace("2.500", "nan"), "'nan' is not a number"),
    ],
)
def test_malformed_rows_name_file_and_line(tmp_path, line, message):
    with pytest.raises(DataError, match=rf"sts-dev.csv:2: {message}"):
        read(tmp_path, ROW, line)
