"""Files whose columns the settings name: tsv, csv and JSON lines."""

from dataclasses import replace

import pytest

from attest.config.settings import Dataset
from attest.data.dataset import check_columns, reader_of
from attest.data.files.find_files import find_source
from attest.errors import DataError, SettingsError

LABELS = ("bad", "good")
ONE = {"sentence": "text", "label": "verdict"}
TWO = {"sentence2": "b", "sentence1": "a", "score": "how", "split": "set"}


def dataset(kind, columns=ONE, labels=LABELS, **others):
    files = {"train": "rows", "test": "rows"}
    return Dataset(name="own", format=kind, files=files, labels=labels, columns=columns, **others)


def read(tmp_path, data, *lines):
    (tmp_path / "rows").write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    check_columns(data)
    return list(reader_of(data)(find_source(tmp_path, "rows"), data.labels))


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        ("tsv", ["verdict\tid\ttext", "good\t7\tIt is \"fine\" .", "bad\t8\t"]),
        ("csv", ["text,verdict", '"It is ""fine"" .",good', ",bad"]),
        ("jsonl", [r'{"text": "It is \"fine\" .", "verdict": "good", "id": 7}', '{"text": "", "verdict": "bad"}']),
    ],
)  # fmt: skip
def test_named_columns(kind, lines, tmp_path):
    first, second = read(tmp_path, dataset(kind), *lines)
    assert (first.row, first.label, first.sentences, first.parses) == (0, "good", ('It is "fine" .',), (None,))
    assert (second.row, second.label, second.sentences) == (1, "bad", ("",))
    assert (first.score, first.split) == (None, None)


def test_pairs_with_scores_and_splits(tmp_path):
    graded = dataset("tsv", TWO, tuple("12345"))
    lines = ["how\tb\ta\tset", "4.5\tA cat .\tA dog .\ttrain", "1\tA .\tB .\ttest"]
    first, second = read(tmp_path, graded, *lines)
    assert (first.sentences, first.score, first.label, first.split) == (("A dog .", "A cat ."), 4.5, "5", "train")
    assert (second.score, second.label, second.split) == (1.0, "1", "test")
    from_zero = dataset("tsv", {**TWO, "label": "how"}, tuple("012345"), grades=6)
    assert read(tmp_path, from_zero, lines[0], "0\tA\tB\ttrain")[0].score == 0.0


def test_folds(tmp_path):
    columns = {**ONE, "fold": "k"}
    for kind, lines in (
        ("csv", ["text,verdict,k", "It is fine .,good,0", "bad,bad,10"]),
        ("jsonl", ['{"text": "", "verdict": "bad", "k": 0}', '{"text": "", "verdict": "bad", "k": "10"}']),
    ):
        data = replace(dataset(kind, columns), files={"all": "rows"})
        assert [row.fold for row in read(tmp_path, data, *lines)] == [0, 10]
        for wrong in ("-1", "1.5", "x", "", "10000", "01"):
            line = lines[-1].replace('"10"', f'"{wrong}"').replace(",10", f",{wrong}")
            with pytest.raises(
                DataError, match=rf"rows:{len(lines)}: k '{wrong}' is not a whole number from 0 to 9999"
            ):
                read(tmp_path, data, *lines[:-1], line)
    with pytest.raises(SettingsError, match=r"dataset.columns.fold: folds are made of one file; write files: {all: F"):
        check_columns(dataset("csv", columns))


@pytest.mark.parametrize(
    ("number", "score"), [("0.00005", 5e-5), ("5e-05", 5e-5), ("-0.0", 0.0), ("0", 0.0), ("5.0", 5.0), ("0.5e1", 5.0)]
)
def test_scores_that_are_numbers_of_json(number, score, tmp_path):
    graded = dataset("jsonl", {"sentence": "text", "score": "how"}, tuple("012345"), grades=6)
    (only,) = read(tmp_path, graded, f'{{"text": "a", "how": {number}}}')
    assert (only.score, only.label) == (score, str(round(score)))


@pytest.mark.parametrize(("number", "message"), [
    ("1e22", "10000000000000000000000 is not from 0 to 5"), ("-0.5", "'-0.5' is not a number such as 5.0"),
    ("NaN", "'NaN' is not a number"), ("Infinity", "'Infinity' is not a number"),
])  # fmt: skip
def test_numbers_of_json_that_are_no_scores(number, message, tmp_path):
    graded = dataset("jsonl", {"sentence": "text", "score": "how"}, tuple("012345"), grades=6)
    with pytest.raises(DataError, match=f"rows:1: how {message}"):
        read(tmp_path, graded, f'{{"text": "a", "how": {number}}}')


def test_columns_by_number_in_a_file_without_names(tmp_path):
    (only,) = read(tmp_path, dataset("csv", {"sentence": 3, "label": 1}), "good,x,It is fine .")
    assert (only.row, only.label, only.sentences) == (0, "good", ("It is fine .",))


def test_a_cell_of_several_lines_and_labels_that_are_numbers(tmp_path):
    first, second = read(tmp_path, dataset("csv"), "text,verdict", '"One,', 'two ""three""', '",good', "four,bad")
    assert (first.sentences, first.line, second.line) == (('One,\ntwo "three"\n',), 2, 5)
    (long,) = read(tmp_path, dataset("csv"), "text,verdict", f'"{"a" * 140_000}",good')
    assert len(long.sentences[0]) == 140_000
    stars = dataset("jsonl", {"sentence": "text", "label": "stars"}, ("1", "5"))
    assert [row.label for row in read(tmp_path, stars, '{"text": "", "stars": 5.0}', '{"text": "", "stars": "1"}')] == [
        "5", "1",
    ]  # fmt: skip
    truths = dataset("jsonl", {"sentence": "text", "label": "good"}, ("false", "true"))
    assert [row.label for row in read(tmp_path, truths, '{"text": "", "good": true}')] == ["true"]


@pytest.mark.parametrize(
    ("kind", "lines", "message"),
    [
        ("tsv", ["text\tverdict", "a\tgood", "a"], "3: expected 2 columns, as in the first line, got 1"),
        ("tsv", ["text\tverdct"], "1: the first line names no column verdict, but 'text'"),
        (
            "tsv",
            ["text\tverdct"],
            "1: .*, but 'text', 'verdct'; rename a column in the file or set dataset",
        ),
        ("tsv", ["text\tverdict\ra\tgood\rb\tbad"], r"1: the lines end with a carriage return \(CR\) alone; save the"),
        (
            "csv",
            ["text,verdict\ra,good\rb,bad"],
            r"1: the lines end with a carriage return \(CR\) alone; save the file",
        ),
        ("csv", ["text,verdict", "a,good", "b\r,bad"], "3: the row is not valid csv"),
        (
            "tsv",
            ["text\tverdict\ttext"],
            "1: the first line names the column text twice or more: .*; rename one",
        ),
        ("tsv", ["text\tverdict", "a\tGood"], "2: verdict 'Good' is not one of bad, good"),
        (
            "csv",
            ["text,verdict", "a,good", '"a,good', "b,bad"],
            r"3: the row is not valid csv \(unexpected end of data",
        ),
        ("csv", ["text,verdict", '"a"b,good'], "2: the row is not valid csv"),
        ("csv", ["text,verdict", "", "a,good"], "2: the line is empty; delete it"),
        ("tsv", ["text\tverdict", "a\tgood", "", "a\tgood"], "3: the line is empty; delete it"),
        ("jsonl", ['{"text": "a"}'], "1: field 'verdict' is missing"),
        ("jsonl", ['{"text": 3, "verdict": "good"}'], "1: field 'text' is 3, not text"),
        ("jsonl", ['{"text": "a", "verdict": [1]}'], r"1: field 'verdict' is \[1\], not text or a number"),
        ("jsonl", ["[]"], "1: expected an object with text, verdict, got '..'"),
    ],
)
def test_malformed_rows_name_file_and_line(kind, lines, message, tmp_path):
    with pytest.raises(DataError, match=rf"rows:{message}"):
        read(tmp_path, dataset(kind), *lines)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("6\ta\tb\ttrain", "how 6 is not from 1 to 5"),
        ("x\ta\tb\ttrain", "how 'x' is not a number such as 5.0"),
        ("3\ta\tb\tvalid", "set 'valid' is not one of train, test"),
    ],
)
def test_malformed_scores_and_splits(line, message, tmp_path):
    with pytest.raises(DataError, match=rf"rows:2: {message}"):
        read(tmp_path, dataset("tsv", TWO, tuple("12345")), "how\ta\tb\tset", line)


def test_a_malformed_score_in_a_file_without_names(tmp_path):
    columns = {"sentence1": 1, "sentence2": 3, "score": 2}
    with pytest.raises(DataError, match=r"rows:1: column 2 'x' is not a number such as 5.0"):
        read(tmp_path, dataset("tsv", columns, tuple("12345")), "a\tx\tb")


def test_a_number_of_a_column_that_no_row_has(tmp_path):
    with pytest.raises(DataError, match=r"rows:1: expected 3 columns or more, got 2"):
        read(tmp_path, dataset("csv", {"sentence": 3, "label": 1}), "good,x")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"sentense": "a", "label": "b"}, "dataset.columns.sentense: unknown role. Did you mean sentence"),
        ({"label": "b"}, "dataset.columns: name either the column of sentence, or those of sentence1 and sentence2"),
        ({"sentence": "a", "sentence1": "a", "label": "b"}, "dataset.columns: name either"),
        ({"sentence1": "a", "label": "b"}, "dataset.columns: name either"),
        ({"sentence": "a"}, "dataset.columns: neither label nor score is named"),
        ({"sentence": "a", "label": 2}, "dataset.columns: some columns are given by name and some by number"),
        ({"sentence": 0, "label": 2}, "dataset.columns.sentence: expected a name, or a number from 1, got 0"),
        (
            {"sentence": "a", "score": "b"},
            "dataset.labels: 2 names .* scores have dataset.grades=5; give 5 names or set dataset.grades=2",
        ),
    ],
)
def test_columns_that_do_not_make_examples(columns, message):
    with pytest.raises(SettingsError, match=message):
        check_columns(dataset("tsv", columns))


def test_columns_belong_to_formats_that_have_some():
    with pytest.raises(
        SettingsError, match=r"dataset.columns: the format tabbed has no columns \(tsv, csv, jsonl have\); remove"
    ):
        check_columns(replace(dataset("tsv"), format="tabbed"))
    with pytest.raises(SettingsError, match=r"dataset.columns.sentence: expected the name of a field, got 1"):
        check_columns(dataset("jsonl", {"sentence": 1, "label": 2}))
