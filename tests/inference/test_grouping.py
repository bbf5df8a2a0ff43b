"""The column by whose values an evaluation is split: its values by line in files of every format that has columns."""

from dataclasses import replace

import pytest

from attest.data.files.source import Source
from attest.errors import DataError, SettingsError
from attest.inference.grouping import Grouping, read_grouping
from attest.inference.labelled_files import LabelledFile

PAIR = ("sentence1", "sentence2", "label")


@pytest.fixture
def file_of(settings_with, tmp_path):
    """Return a labelled file of a format with some content."""

    def make(form, text, columns=(), name="a"):
        settings = settings_with("model=s2t")
        settings = replace(settings, dataset=replace(settings.dataset, format=form, columns=dict(columns)))
        (path := tmp_path / name).write_text(text)
        return LabelledFile(Source(path), settings, settings.dataset.labels, None, None, "add --columns")

    return make


def test_values_of_each_format(file_of):
    named = {role: role for role in PAIR}
    table = 'sentence1,sentence2,label,genre\na,b,neutral,x\nc,"d\ne",neutral,y z\na,c,neutral,\n'
    assert read_grouping(file_of("csv", table, named), "genre").value_of_line == {2: "x", 3: "y z", 5: ""}
    numbered = {role: number for number, role in enumerate(PAIR, 1)}
    tabbed = file_of("tsv", "a\tb\tneutral\tx\na\tb\tneutral\t07\n", numbered)
    assert read_grouping(tabbed, "4").value_of_line == {1: "x", 2: "07"}
    row = '{{"sentence1": "a", "sentence2": "b", "label": "neutral", "gold_label": "neutral", "genre": {}}}\n'
    lines = "".join(map(row.format, ('"fiction"', "3", "true")))
    for form in ("nli", "jsonl"):
        found = read_grouping(file_of(form, lines, named if form == "jsonl" else ()), "genre")
        assert found.value_of_line == {1: "fiction", 2: "3", 3: "true"}


def test_numbers_are_sorted_by_size_and_stand_before_names():
    lines = dict(enumerate(["b", "10", "9.5", "a", "9.5", "-1"], 1))
    places = Grouping("x", lines).places([1, 2, 3, 4, 5, 6])
    assert list(places.items()) == [("-1", [5]), ("9.5", [2, 4]), ("10", [1]), ("a", [3]), ("b", [0])]
    assert Grouping("x", lines).places([3, 4, 5]) == {"9.5": [0, 2], "a": [1]}


def test_mistakes_are_refused(file_of):
    with pytest.raises(SettingsError, match="--by genre: files like those of snli have no columns with names; give a "):
        read_grouping(file_of("sick", ""), "genre")
    numbered = {role: number for number, role in enumerate(PAIR, 1)}
    with pytest.raises(SettingsError, match="--by genre: the other columns are numbers; type the number of this one"):
        read_grouping(file_of("tsv", "a\tb\tneutral\tx\n", numbered), "genre")
    with pytest.raises(DataError, match="a:1: the line is not valid JSON .*; add --columns"):
        read_grouping(file_of("nli", "a\tb\n"), "genre")
    with pytest.raises(DataError, match="a:1: field 'genre' is missing"):
        row = '{"sentence1": "a", "sentence2": "b", "gold_label": "neutral"}\n'
        read_grouping(file_of("nli", row), "genre")
