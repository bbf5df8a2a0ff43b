import pytest

from attest.data.readers import find_source
from attest.data.readers.lines import read_tabbed
from attest.errors import DataError

LABELS = ("bad", "good")


def read(tmp_path, *lines):
    (tmp_path / "sentiment-dev").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return list(read_tabbed(find_source(tmp_path, "sentiment-dev"), LABELS))


def test_a_text_a_tab_and_a_class(tmp_path):
    one, two = read(tmp_path, "a fresh café \t1", "\t0")
    assert (one.row, one.label, one.sentences, one.parses) == (0, "good", ("a fresh café ",), (None,))
    assert (two.row, two.label, two.sentences) == (1, "bad", ("",))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected a text, a tab and a class, got ''"),
        ("dull", "expected a text, a tab and a class"),
        ("dull\t", "class '' is not one of 0, 1"),
        ("dull\tbad", "class 'bad' is not one of 0, 1"),
        ("dull\t-1", "class '-1' is not one of 0, 1"),
        (f"dull\t{'1' * 5000}", "class '1{40}' is not one of 0, 1"),
        ("dull\t\u0661", "class '\u0661' is not one of 0, 1"),
        ("dull\tdark\t1", "expected a text, a tab and a class, got"),
        ("dull\t2", "class '2' is not one of 0, 1"),
    ],
)
def test_malformed_rows_name_file_and_line(tmp_path, line, message):
    with pytest.raises(DataError, match=rf"sentiment-dev:2: {message}"):
        read(tmp_path, "neat \t1", line)
