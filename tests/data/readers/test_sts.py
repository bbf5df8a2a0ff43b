import pytest

from attest.data.prepare import prepare
from attest.data.readers import find_source
from attest.data.readers.sts import read_sts
from attest.errors import DataError, SettingsError


def read(tmp_path, pairs, scores):
    for name, lines in (("pairs", pairs), ("scores", scores)):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return list(read_sts(find_source(tmp_path, "pairs"), find_source(tmp_path, "scores")))


def test_pairs_without_a_score_are_left_out(tmp_path):
    one, two = read(tmp_path, ["a cat\ta dog", "x\ty", "\tz"], ["2.25", "", "5"])
    assert (one.row, one.sentences, one.label, one.score) == (0, ("a cat", "a dog"), None, 2.25)
    assert (two.row, two.sentences, two.score) == (2, ("", "z"), 5.0)


@pytest.mark.parametrize(
    ("pairs", "scores", "message"),
    [
        (["a\tb"], [], "pairs:1: scores ends before this line"),
        (["a\tb"], ["1", "2"], "scores:2: pairs ends before this line"),
        (["a b"], ["1"], "pairs:1: expected two sentences separated by a tab, got 'a b'"),
        (["a\tb\tc"], ["1"], "pairs:1: expected two sentences"),
        (["a\tb"], ["high"], "scores:1: 'high' is not a number"),
        (["a\tb"], ["5.1"], "scores:1: 5.1 is not from 0 to 5"),
        (["a\tb"], ["nan"], "scores:1: 'nan' is not a number"),
    ],
)
def test_malformed_rows_name_file_and_line(tmp_path, pairs, scores, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, pairs, scores)


def test_nothing_can_be_trained_on_it(settings_with):
    with pytest.raises(SettingsError, match=r"dataset: sts14 has no training data; use it with `attest transfer`"):
        prepare(settings_with("dataset=sts14"))
