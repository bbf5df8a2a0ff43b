"""The labels of a file: those of the run, and further names for them."""

from pathlib import Path

import pytest

from attest.data.files.source import Source
from attest.data.readers import Example
from attest.errors import DataError, SettingsError
from attest.inference.gold_labels import GoldLabels, parse_gold_labels

CLASSES = ("entailment", "neutral", "contradiction")


def example(label):
    return Example(Source(Path("a.tsv")), 7, 6, label, ("a", "b"))


def test_a_label_of_the_file_can_stand_for_several_of_the_run():
    labels = parse_gold_labels("non-entailment=neutral,contradiction,0=entailment,-1=-", CLASSES)
    assert labels.names == (*CLASSES, "non-entailment", "0", "-1")
    assert labels.right_GC.astype(int).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [0, 0, 0]]
    numbers = [labels.number(example(label)) for label in ("neutral", "non-entailment", "-1", "-", "", None)]
    assert numbers == [1, 3, None, None, None, None]


def test_a_label_of_the_run_can_have_another_meaning_in_the_file():
    labels = parse_gold_labels("0=1,1=0", ("0", "1"))
    assert labels.names == ("0", "1")
    assert labels.right_GC.astype(int).tolist() == [[0, 1], [1, 0]]


def test_a_dash_is_a_label_if_the_run_has_it():
    assert GoldLabels(("-", "+")).number(example("-")) == 0
    assert parse_gold_labels("no=-", ("-", "+")).right["no"] == ["-"]


def test_an_unknown_label_is_named_with_its_line():
    with pytest.raises(DataError) as error:
        GoldLabels(CLASSES).number(example("non-entailment"))
    assert str(error.value) == (
        "a.tsv:7: label 'non-entailment' is not one of the run's labels, entailment, neutral, contradiction; say which "
        "of them are right for it with --labels non-entailment=LABEL,LABEL; - stands for no label"
    )
    with pytest.raises(DataError, match="--labels 'not entailed'=LABEL,LABEL;"):
        GoldLabels(CLASSES).number(example("not entailed"))
    with pytest.raises(DataError, match="--labels NAME=LABEL,LABEL;"):
        GoldLabels(CLASSES).number(example("a" * 1000))


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("neutral", "--labels neutral: expected NAME=LABEL,LABEL, as in --labels other=entailment,neutral"),
        ("=neutral", "--labels =neutral: expected NAME=LABEL,LABEL"),
        ("0=entailed", r"--labels 0=entailed: entailed is not a label of the run. Did you mean entailment\? There "),
        ("0=neutral,-", "0 cannot be both a label and -, which is none"),
    ],
)
def test_mistakes_are_refused(typed, message):
    with pytest.raises(SettingsError, match=message):
        parse_gold_labels(typed, CLASSES)
