import pytest

from attest.data.readers import find_source
from attest.data.readers.yelp import read_yelp
from attest.errors import DataError

STARS = ("1", "2", "3", "4", "5")


def read(tmp_path, *lines):
    (tmp_path / "a.csv").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return list(read_yelp(find_source(tmp_path, "a.csv"), STARS))


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"Good soup.\n\nWarm, too.", "Good soup.\n\nWarm, too."),
        (r'A \""fine\"" café', 'A "fine" café'),
        ('A ""fine"" caf\\u00e9', 'A "fine" café'),
        (r"One \\ more \/ less", "One \\ more / less"),
        (r'ends in \\""', 'ends in \\"'),
        (r"\ud83d\ude00", "\U0001f600"),
        ("", ""),
    ],
)
def test_rows_of_the_csv_files(tmp_path, written, text):
    (one,) = read(tmp_path, f'"4","{written}"')
    assert (one.row, one.label, one.sentences, one.parses) == (0, "4", (text,), (None,))


def test_json_lines_of_the_challenge(tmp_path):
    one, two = read(tmp_path, '{"stars": 5.0, "text": "Good\\nsoup", "useful": 3}', '{"text": "", "stars": 1}')
    assert (one.label, one.sentences) == ("5", ("Good\nsoup",))
    assert (two.row, two.label, two.sentences) == (1, "1", ("",))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected '\"stars\",\"text\"', got ''"),
        ('4,"soup"', "expected"),
        ('"4","soup" and "more"', "expected"),
        ('"4","soup', "expected"),
        ('"6","soup"', "6 stars are not one of 1, 2, 3, 4, 5"),
        ('"0","soup"', "0 stars are not one of"),
        (r'"4","a \x escape"', r"malformed escape in the text \(Invalid"),
        (r'"4","cut \u00e"', "malformed escape"),
        ('"4","ends in \\"', "malformed escape"),
        (r'"4","half \ud83d"', "malformed escape: half of a surrogate pair"),
        ('{"stars": 4', "the line is not valid JSON"),
        ('{"stars": 4}', "field 'text' is missing"),
        ('{"text": "soup"}', "field 'stars' is missing"),
        ('{"stars": "4", "text": "soup"}', "field 'stars' is '4', not a number"),
        ('{"stars": true, "text": "soup"}', "field 'stars' is True, not a number"),
        ('{"stars": 4, "text": null}', "field 'text' is None, not text"),
        ('{"stars": 3.5, "text": "soup"}', "3.5 stars are not one of"),
        (r'{"stars": 4, "text": "\x"}', "the line is not valid JSON"),
        (r'{"stars": 4, "text": "half \ud83d"}', "malformed escape: half of a surrogate pair"),
        ('{"stars": 4, "text": "soup", "stars": 5}', r"the line is not valid JSON \(a field occurs twice"),
        ('{"stars": 4.0000001, "text": "soup"}', "4.0000001 stars are not one of"),
        ('{"stars": NaN, "text": "soup"}', "nan stars are not one of"),
        ('{"stars": 1e999, "text": "soup"}', "inf stars are not one of"),
        (f'{{"stars": {"9" * 400}, "text": "soup"}}', f"{'9' * 40} stars are not one of"),
        (f'{{"stars": {"9" * 5000}, "text": "soup"}}', "the line is not valid JSON"),
    ],
)
def test_malformed_rows_name_file_and_line(tmp_path, line, message):
    with pytest.raises(DataError, match=rf"a.csv:2: {message}"):
        read(tmp_path, '"4","soup"', line)
