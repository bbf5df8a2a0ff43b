"""The columns of a file of labelled examples: typed, those of the run's data set, or those of the roles' names."""

from dataclasses import replace

import pytest

from attest.config.settings import Dataset
from attest.errors import SettingsError
from attest.inference.file_columns import file_columns, needed_roles

PAIR = needed_roles(2, scored=False)
NLI = Dataset(name="snli", format="nli", files={}, labels=("a", "b"))
OWN = Dataset(
    name="own",
    format="tsv",
    files={},
    labels=("a", "b"),
    columns={"sentence": "text", "label": "verdict", "split": "s"},
)


def test_columns_have_the_names_of_the_runs_own_data():
    assert file_columns(NLI, PAIR, "tsv", None) == {"sentence1": "sentence1", "sentence2": "sentence2",
                                                    "label": "gold_label"}  # fmt: skip
    roles = needed_roles(1, scored=False)
    assert file_columns(OWN, roles, "jsonl", None) == {"sentence": "text", "label": "verdict"}
    assert file_columns(OWN, roles, "csv", "label=other") == {"sentence": "text", "label": "other"}
    numbered = replace(OWN, columns={"sentence": 2, "label": 1})
    assert file_columns(numbered, roles, "csv", None) == {"sentence": 2, "label": 1}
    assert file_columns(numbered, roles, "jsonl", None) == {"sentence": "sentence", "label": "label"}
    assert file_columns(numbered, roles, "csv", "label=other") == {"sentence": "sentence", "label": "other"}
    assert needed_roles(2, scored=True) == ("sentence1", "sentence2", "score")


def test_typed_columns_are_names_or_numbers():
    typed = "sentence1=a, or b,sentence2=#2 String,label=x=y"
    assert file_columns(NLI, PAIR, "tsv", typed) == {"sentence1": "a, or b", "sentence2": "#2 String", "label": "x=y"}
    numbers = "sentence1=1,sentence2=2,label=3"
    assert file_columns(NLI, PAIR, "tsv", numbers) == {"sentence1": 1, "sentence2": 2, "label": 3}
    assert file_columns(NLI, PAIR, "jsonl", numbers) == {"sentence1": "1", "sentence2": "2", "label": "3"}


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("gold", "--columns gold: gold is not a role of a column. Name those of this run as in --columns sentence1="),
        ("sentence1=a,lable=b", r"--columns sentence1=a,lable=b: lable is not a role of a column. Did you mean label"),
        ("score=b", "score is not a role of a column"),
        ("label=a,genre=genre", "genre is not a role of a column.* the metrics of each value of another column, add "
                                "--by NAME$"),
        ("label=", "--columns label=: label= names no column; type label=NAME$"),
        ("label=a,label=b", "--columns label=a,label=b: label is named twice; name one column for it$"),
        ("label=3", "needs a number for each column, also for sentence1 and sentence2; type it as in --columns "
                    "sentence1=1,sentence2=2,label=3"),
    ],
)  # fmt: skip
def test_mistakes_are_refused(typed, message):
    with pytest.raises(SettingsError, match=message):
        file_columns(NLI, PAIR, "tsv", typed)
