import pytest

from attest.data.files.source import Source
from attest.data.readers.fields import check_header, excerpt, numbered_classes, parse_count, parse_decimal
from attest.errors import DataError

SOURCE = Source("a.txt")
ODD_NUMBERS = [
    "1_0",
    "+4",
    "-4",
    " 4",
    "4 ",
    "4\t",
    "\u0664",
    "\uff14",
    "\u00b2",
    "4e0",
    "0x4",
    "4.",
    ".5",
    "1 0",
    "nan",
    "inf",
    "",
]
"""Text of which float() or int() reads the most, and that no official file holds."""


@pytest.mark.parametrize("text", ODD_NUMBERS)
def test_numbers_that_no_format_knows_are_refused(text):
    with pytest.raises(DataError, match=r"a.txt:7: score .* is not a number such as 5.0"):
        parse_decimal(SOURCE, 7, text, 0, 5, "score")
    assert parse_count(text) is None
    assert text not in numbered_classes("abcde")


@pytest.mark.parametrize("text", ["5.1", "9" * 5000, "0." + "0" * 5000 + "1"])
def test_numbers_out_of_range_and_of_thousands_of_digits(text):
    with pytest.raises(DataError, match=r"a.txt:7: [0-9.]{3,40} is not from 1 to 5$"):
        parse_decimal(SOURCE, 7, text, 1, 5)


def test_numbers():
    assert [parse_decimal(SOURCE, 1, text, 0, 5) for text in ("4", "4.0", "0.25")] == [4.0, 4.0, 0.25]
    assert [parse_count(text) for text in ("0", "12", "1" * 18, "1" * 19, "01", "9" * 5000)] == [
        0,
        12,
        int("1" * 18),
    ] + [None] * 3


def test_the_nearest_layout_is_named():
    layouts = [("a", "b"), ("c", "d", "e")]
    assert check_header(SOURCE, "c\td\te", layouts) == ["c", "d", "e"]
    with pytest.raises(DataError, match=r"a.txt:1: .* names c, d, e, separated by tabs, but column 3 is missing"):
        check_header(SOURCE, "c\td", layouts)


def test_excerpts_are_short_whatever_a_file_holds():
    deep = []
    for _ in range(50_000):
        deep = [deep]
    for value in ("x" * 10**6, "\x1b" * 100, deep, {"a" * 100: "b" * 10**6}, 10**4000, None):
        assert len(excerpt(value)) < 200
        assert excerpt(value).isprintable()
