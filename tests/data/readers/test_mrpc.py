import pytest

from attest.data.readers import find_source
from attest.data.readers.mrpc import NAMES, read_mrpc
from attest.errors import DataError

LABELS = ("different", "paraphrase")
HEAD = "\t".join(NAMES)


def read(tmp_path, *lines, end="\r\n"):
    (tmp_path / "a.txt").write_bytes("".join(line + end for line in lines).encode())
    return list(read_mrpc(find_source(tmp_path, "a.txt"), LABELS))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_pairs_with_their_quotation_marks(tmp_path, mark, end):
    one, two = read(tmp_path, mark + HEAD, '1\t7\t8\tHe said "no.\tHe said no.', "0\t9\t10\tA\tB", end=end)
    assert (one.row, one.label, one.sentences) == (0, "paraphrase", ('He said "no.', "He said no."))
    assert (two.row, two.label, two.sentences) == (1, "different", ("A", "B"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1\t7\t8\tA\tB"], "a.txt:1: the first line must hold the column names Quality, #1 ID"),
        ([HEAD, "1\t7\t8\tA"], "a.txt:2: expected 5 columns separated by tabs, got 4"),
        ([HEAD, "1\t7\t8\tA\tB\tC"], "a.txt:2: expected 5 columns separated by tabs, got 6"),
        ([HEAD, "2\t7\t8\tA\tB"], "a.txt:2: Quality '2' is not one of 0, 1"),
    ],
)
def test_malformed_rows_name_file_and_line(tmp_path, lines, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, *lines)
