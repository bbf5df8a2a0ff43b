import numpy as np
import pytest

from attest.data.readers import find_source
from attest.data.text import vectors
from attest.data.text.vectors import read_vectors
from attest.errors import DataError

ODD_NUMBERS = ("1_0", "+2", "\u0662", "\uff12", "1\t2", "\t2", "2\x0b", "0x2", "1-2", "1.2.3", "--2", "2e", "infinity")
"""Numbers that numpy or float() read, in part with spaces of other kinds, and that vector files do not hold."""


def read(tmp_path, text, wanted=("the", "paris", ". . ."), size=3):
    (tmp_path / "v.txt").write_text(text, encoding="utf-8")
    return read_vectors(find_source(tmp_path, "v.txt"), wanted, size)


def test_exact_words_win_over_lower_case_and_first_rows_over_later(tmp_path):
    found = read(tmp_path, "The 1 1 1\nParis 2 2 2\nPARIS 3 3 3\nthe 4 4 4\nthe 5 5 5\n. . . 6 -6e-1 .6\n")
    assert {word: vector.tolist() for word, vector in found.vectors.items()} == {
        "the": [4, 4, 4],
        "paris": [2, 2, 2],
        ". . .": [6, np.float32(-0.6), np.float32(0.6)],
    }
    assert (found.rows, found.duplicates) == (6, 1)


def test_a_word_lends_its_vector_whether_or_not_it_is_wanted_itself(tmp_path):
    for wanted in (("nasa",), ("NASA", "nasa")):
        found = read(tmp_path, "NASA 1 2 3\n", wanted)
        assert found.vectors["nasa"].tolist() == [1, 2, 3], wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "v.txt:1: the file is empty"),
        (
            "a 1 2 3\nb 1 2\n",
            r"v.txt:2: expected a word and 3 numbers, got 3 columns or columns that are not numbers; check",
        ),
        ("a 1 2 3\nb 1 x 3\n", "v.txt:2: expected a word and 3 numbers"),
        ("a 1 2 nan\n", "v.txt:1: the vector of 'a' holds a number that is not finite"),
        ("a 1 2 1e99\n", "is not finite"),
        ("a\n", "v.txt:1: expected a word and 3 numbers, got 1 columns"),
        ("a 1 2 3\n\n", "v.txt:2: expected"),
        ("a 1 2 3 4 x 5\n", "expected a word and 3 numbers"),
        *((f"paris 1 {odd} 3\n", "v.txt:1: expected a word and 3 numbers") for odd in ODD_NUMBERS),
        ("the 1-2  3\n", "v.txt:1: expected a word and 3 numbers"),
        ("other 1 2 \n", "v.txt:1: expected a word and 3 numbers"),
        ("a 1 2 3\nother 1e-05 2 \n", "v.txt:2: expected a word and 3 numbers"),
        ("a 1 2 3\nother 1e-05 2e 3\n", "v.txt:2: expected a word and 3 numbers"),
        ("a 1 2 3\nb 1 2\nc 1 2 3 4\n", "v.txt:2: expected a word and 3 numbers, got 3 columns"),
        ("a 1 2 3\nb\0 1 2 3\n", "v.txt:2: the line holds a zero byte"),
        ("a 1 2 3 4\n", "v.txt:1: the word 'a' has more than 3 numbers"),
    ],
)
def test_damaged_rows_name_file_and_line_even_if_nobody_wants_their_word(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, text)


ROWS = "a-0 1 -2 .5\nb 1e-05 2.5e-08 3\nthe 1e-05 2 3\n\u00e9t\u00e9 1 2 3\nA 1 2 3\nparis 1 2 3"


@pytest.mark.parametrize("block", [7, 16, 64, 1024])
@pytest.mark.parametrize("end", ["", "\n"])
def test_rows_do_not_depend_on_the_size_of_the_blocks_in_which_they_are_read(block, end, tmp_path, monkeypatch):
    monkeypatch.setattr("attest.data.files.source.BLOCK_BYTES", block)
    monkeypatch.setattr(vectors, "parse_row", counted := Counted(vectors.parse_row))
    found = read(tmp_path, "\ufeff" + ROWS + end)
    assert found.rows == 6
    assert {word: vector.tolist() for word, vector in found.vectors.items()} == {
        "the": [np.float32(1e-05), 2, 3],
        "paris": [1, 2, 3],
    }
    assert counted.calls == 2, "only the rows of wanted words are read in full"
    with pytest.raises(DataError, match=r"v.txt:7: byte 1 of the line is not utf-8"):
        (tmp_path / "v.txt").write_bytes(f"{ROWS}\n".encode() + b"\xff 1 2 3\nw 1 2\n")
        read_vectors(find_source(tmp_path, "v.txt"), ["the"], 3)


class Counted:
    """A function that counts its calls."""

    def __init__(self, function) -> None:
        self.function, self.calls = function, 0

    def __call__(self, *arguments):
        self.calls += 1
        return self.function(*arguments)
