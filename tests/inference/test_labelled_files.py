"""Files of labelled examples: which format and columns they are read with, and what is refused."""

import json
from types import SimpleNamespace

import pytest

from attest.errors import DataError, SettingsError
from attest.inference.labelled_files import labelled_file

NEEDED = "sentence1=NAME,sentence2=NAME,label=NAME"


@pytest.fixture
def run_with(settings_with):
    def make(*overrides, sides=2):
        record = SimpleNamespace(id="0123456789ab")
        return SimpleNamespace(settings=settings_with(*overrides), sides=sides, record=record, check_head=lambda: None)

    return make


def read(run, path, form=None, columns=None, labels=None):
    """The lines, the labels or scores, and the sentences of a file's examples."""
    file = labelled_file(run, path, form, columns, labels)
    return [(example.line, file.gold_value(example), *example.sentences) for example in file.examples()]


def test_pairs_are_read_like_those_of_the_run_or_by_columns(run_with, tmp_path):
    snli = run_with()
    rows = [("neutral", "a", "b"), ("-", "c", "d"), ("entailment", "e", "f")]
    json_lines = [json.dumps({"gold_label": label, "sentence1": a, "sentence2": b}) for label, a, b in rows]
    (tmp_path / "a.jsonl").write_text("\n".join(json_lines))
    numbers = [(1, 1, "a", "b"), (2, None, "c", "d"), (3, 0, "e", "f")]
    assert read(snli, tmp_path / "a.jsonl") == numbers
    table = "".join("\t".join(row) + "\n" for row in rows)
    (tmp_path / "a.txt").write_text("gold_label\tsentence1\tsentence2\n" + table)
    assert read(snli, tmp_path / "a.txt", "tsv") == [(line + 1, *rest) for line, *rest in numbers]
    (tmp_path / "a.tsv").write_text(table)
    assert read(snli, tmp_path / "a.tsv", columns="sentence1=2,sentence2=3,label=1") == numbers
    (tmp_path / "a.csv").write_text('label,premise,"hypothesis, as given"\nno,"a, a",b\n')
    columns = "sentence1=premise,sentence2=hypothesis, as given,label=label"
    assert read(snli, tmp_path / "a.csv", columns=columns, labels="no=neutral,contradiction") == [(2, 3, "a, a", "b")]
    with pytest.raises(DataError, match="a.csv:2: label 'no' is not one of the run's labels, entailment, neutral, "):
        read(snli, tmp_path / "a.csv", columns=columns)


def test_trees_of_the_runs_own_format_are_kept(run_with, mini_data):
    for experiment, name in (
        ("psan/snli", "snli/snli_1.0_test.jsonl"),
        ("psan/sick_relatedness", "sick/SICK_test_annotated.txt"),
    ):
        run = run_with(f"experiment={experiment}")
        assert run.settings.text.tokens == "parse"
        examples = list(labelled_file(run, mini_data / name, None, None, None).examples())
        assert all(None not in example.parses for example in examples)


def test_scores_are_numbers(run_with, tmp_path):
    sick = run_with("experiment=disan/sick")
    (tmp_path / "a.tsv").write_text("sentence1\tsentence2\tscore\na\tb\t4.5\nc\td\t1\n")
    assert read(sick, tmp_path / "a.tsv") == [(2, 4.5, "a", "b"), (3, 1.0, "c", "d")]
    (tmp_path / "a.tsv").write_text("sentence1\tsentence2\tscore\na\tb\t0.5\n")
    with pytest.raises(DataError, match=r"a.tsv:2: score 0.5 is not from 1 to 5"):
        read(sick, tmp_path / "a.tsv")
    with pytest.raises(
        SettingsError, match="--labels: 0123456789ab predicts scores, which have no labels; leave it out"
    ):
        read(sick, tmp_path / "a.tsv", labels="0=1")


def test_a_file_of_another_form_is_an_error_that_says_what_to_type(run_with, tmp_path):
    snli, trec, mr = run_with(), run_with("experiment=disan/trec", sides=1), run_with("dataset=mr", sides=1)
    (tmp_path / "a.tsv").write_text("premise\thypothesis\tgold\n")
    numbers = "with numbers from 1 in place of names if the first line holds none"
    typed = f"for other columns, add --columns {NEEDED}, {numbers}"
    with pytest.raises(DataError, match=f"names no column sentence1, but 'premise', [^;]*; {typed}$"):
        read(snli, tmp_path / "a.tsv")
    (tmp_path / "a.jsonl").write_text('{"label": "neutral"}\n')
    other = f"for other columns, add --columns {NEEDED}; for sentences alone, type `attest predict`"
    with pytest.raises(
        DataError,
        match=f"gold_label' is missing; it was read like the files of snli, which hold labels; {other}$",
    ):
        read(snli, tmp_path / "a.jsonl")
    (tmp_path / "a.txt").write_text("What ?\tDESC\n")
    with pytest.raises(
        DataError,
        match="files of trec, which hold labels; for other columns, add --format tsv or csv or jsonl, and --columns ",
    ):
        read(trec, tmp_path / "a.txt")
    with pytest.raises(
        SettingsError, match="--labels 0=NUM: files like those of trec have no other labels; give a file"
    ):
        read(trec, tmp_path / "a.txt", labels="0=NUM")
    with pytest.raises(SettingsError, match="a.txt: files like those of mr hold no labels; give a file of columns"):
        read(mr, tmp_path / "a.txt")
    with pytest.raises(SettingsError, match="a.txt: cannot tell its format; add --format tsv or csv or jsonl"):
        read(snli, tmp_path / "a.txt", columns="label=gold")
    with pytest.raises(DataError) as error:
        read(snli, tmp_path / "nothing.jsonl")
    assert "for other columns" not in str(error.value)
