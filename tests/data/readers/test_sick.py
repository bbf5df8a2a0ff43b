import pytest

from attest.data.readers import find_source
from attest.data.readers.sick import read_sick
from attest.errors import DataError

LABELS = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")
NAMES = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"
ROW = "1\tA cat sleeps\tAn animal sleeps\t4.2\tENTAILMENT"


def read(tmp_path, *lines, end="\n"):
    (tmp_path / "a.txt").write_bytes("".join(line + end for line in lines).encode())
    return list(read_sick(find_source(tmp_path, "a.txt"), LABELS))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_files_of_semeval(tmp_path, end):
    one, two = read(tmp_path, NAMES, ROW, "4\tA cat sleeps\tThere is no cat\t3\tCONTRADICTION", end=end)
    assert (one.row, one.sentences, one.label, one.score) == (
        0,
        ("A cat sleeps", "An animal sleeps"),
        "ENTAILMENT",
        4.2,
    )
    assert (two.row, two.label, two.score, two.split) == (1, "CONTRADICTION", 3.0, None)


def test_the_one_file_names_the_split_of_each_row(tmp_path):
    names = (
        "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\tentailment_AB\tentailment_BA\t"
        "sentence_A_original\tsentence_B_original\tsentence_A_dataset\tsentence_B_dataset\tSemEval_set"
    )
    row = "1\tA\tB\tNEUTRAL\t2.5\tA_neutral_B\tB_neutral_A\ta\tb\tFLICKR\tFLICKR\t"
    examples = read(tmp_path, names, row + "TRAIN", row + "TRIAL", row + "TEST")
    assert [example.split for example in examples] == ["train", "dev", "test"]
    assert {(example.sentences, example.label, example.score) for example in examples} == {(("A", "B"), "NEUTRAL", 2.5)}
    with pytest.raises(DataError, match=r"a.txt:2: SemEval_set 'DEV' is not one of TRAIN, TRIAL, TEST"):
        read(tmp_path, names, row + "DEV")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected 5 columns separated by tabs, got 1"),
        (ROW + "\t", "expected 5 columns separated by tabs, got 6"),
        (ROW.replace("ENTAILMENT", "entailment"), "entailment 'entailment' is not one of ENTAILMENT, NEUTRAL"),
        (ROW.replace("4.2", "high"), "relatedness_score 'high' is not a number"),
        (ROW.replace("4.2", "5.1"), "relatedness_score 5.1 is not from 1 to 5"),
        (ROW.replace("4.2", "nan"), "relatedness_score 'nan' is not a number"),
    ],
)
def test_malformed_rows_name_file_and_line(tmp_path, line, message):
    with pytest.raises(DataError, match=rf"a.txt:3: {message}"):
        read(tmp_path, NAMES, ROW, line)


WRONG_NAMES = {
    "": "column 1 is ''",
    ROW: "column 1 is '1'",
    NAMES.replace("sentence_B", "sentence_C"): "column 3 is 'sentence_C'",
    NAMES.replace("_judgment", ""): "column 5 is 'entailment'",
    NAMES.replace("pair_ID", "id"): "column 1 is 'id'",
    NAMES.replace("sentence_A\tsentence_B", "sentence_B\tsentence_A"): "column 2 is 'sentence_B'",
    NAMES.rpartition("\t")[0]: "column 5 is missing",
    NAMES + "\tsentence_A": "column 6 is 'sentence_A'",
}


@pytest.mark.parametrize("names", WRONG_NAMES)
def test_the_first_line_has_to_name_the_columns(tmp_path, names):
    head = "a.txt:1: the first line must hold the column names pair_ID, sentence_A, sentence_B, relatedness_score, "
    with pytest.raises(DataError, match=f"{head}.*, but {WRONG_NAMES[names]}$"):
        read(tmp_path, names, ROW)
