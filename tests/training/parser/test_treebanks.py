"""Treebanks: every sentence once, nothing measured on what was trained on, bad trees named by file and line."""

import json

import pytest

from attest.config.settings import Dataset
from attest.errors import DataError, SettingsError
from attest.syntax.trees import to_brackets
from attest.training.parser.treebanks import read_treebanks

LABELS = ("0", "1", "2", "3", "4")
SST = {
    "train": ["(3 (2 a) (3 (3 nice) (2 song)))", "(3 (3 nice) (2 song))", "(3 (2 a) (3 (3 nice) (2 song)))"],
    "dev": ["(1 (2 a) (1 (1 dull) (2 song)))", "(3 (3 nice) (2 song))"],
    "test": ["(1 (1 dull) (2 song))", "(1 (2 a) (1 (1 dull) (2 song)))", "(4 lovely)"],
}
NLI = {
    "train": [("( goats eat )", "( ( dull song ) ends )")],
    "dev": [("( goats ( eat grass ) )", "( ( ( ( goats eat ) tall ) grass ) . )")],
    "test": [("( nice song )", "( grass grows )")],
}


def dataset(name, kind, suffix):
    files = {split: f"{name}/{split}{suffix}" for split in ("train", "dev", "test")}
    labels = LABELS if kind == "sst" else ("neutral",)
    return Dataset(name=name, format=kind, files=files, labels=labels, expected={}, licence="", reference="")


@pytest.fixture
def data(tmp_path):
    for name in ("sst", "nli"):
        (tmp_path / name).mkdir()
    for split, lines in SST.items():
        (tmp_path / f"sst/{split}.txt").write_text("\n".join(lines) + "\n")
    for split, pairs in NLI.items():
        (tmp_path / f"nli/{split}.jsonl").write_text("".join(nli_line(*pair) for pair in pairs))
    return tmp_path


def nli_line(first, second):
    texts = {"sentence1": "x", "sentence2": "y", "sentence1_binary_parse": first, "sentence2_binary_parse": second}
    return json.dumps({"gold_label": "neutral", **texts}) + "\n"


BOTH = [dataset("sst", "sst", ".txt"), dataset("nli", "nli", ".jsonl")]


def shown(treebanks, split):
    return {name: [to_brackets(tree) for tree in trees] for name, trees in treebanks.trees[split].items()}


def test_files_with_columns_hold_no_trees_and_say_so(data):
    (data / "rows.tsv").write_text("text\tverdict\na song\tgood\n")
    columns = {"sentence": "text", "label": "verdict"}
    files = dict.fromkeys(("train", "dev", "test"), "rows.tsv")
    mine = Dataset(name="mine", format="tsv", files=files, labels=("good",), columns=columns)
    with pytest.raises(SettingsError, match=r"treebanks: mine has a sentence without a tree \(.*rows.tsv:2\)"):
        read_treebanks([mine], data)


def test_a_sentence_counts_where_it_stands_first(data):
    found = read_treebanks([BOTH[0]], data)
    assert shown(found, "train") == {"sst": ["( a ( nice song ) )", "( nice song )"]}
    assert shown(found, "dev") == {"sst": ["( a ( dull song ) )"]}
    assert shown(found, "test") == {"sst": ["( dull song )", "lovely"]}
    assert found.facts["splits"]["sst/test"] == {"trees": 3, "used": 2}


def test_what_one_treebank_trains_on_no_other_is_measured_on(data):
    found = read_treebanks(BOTH, data)
    assert shown(found, "test") == {"sst": ["( dull song )", "lovely"], "nli": ["( grass grows )"]}
    assert [to_brackets(tree) for tree in found.all("train")][-1] == "( ( dull song ) ends )"
    assert found.facts["fingerprint"] != read_treebanks([BOTH[0]], data).facts["fingerprint"]


def test_a_bad_tree_is_named_by_file_and_line(data):
    path = data / "sst/dev.txt"
    path.write_text("(1 (2 a) (1 (1 dull) (2 song)))\n(1 (2 a) (1 (1 dull) (2 song))\n")
    with pytest.raises(DataError, match=rf"{path}:2: the line ends before the tree does"):
        read_treebanks(BOTH, data)


def test_a_bad_tree_beside_its_sentence_is_named_too(data):
    path = data / "nli/train.jsonl"
    path.write_text(path.read_text() + nli_line("( goats eat )", "( goats eat ) )"))
    with pytest.raises(DataError, match=rf"{path}:2: .*; a tree looks like"):
        read_treebanks(BOTH, data)


def test_what_has_no_trees_is_no_treebank(data):
    path = data / "nli/test.jsonl"
    path.write_text(json.dumps({"gold_label": "neutral", "sentence1": "x", "sentence2": "y"}) + "\n")
    with pytest.raises(SettingsError, match="treebanks: nli has a sentence without a tree"):
        read_treebanks(BOTH, data)


def test_a_treebank_needs_something_to_choose_and_to_test_with(data):
    (data / "sst/dev.txt").write_text(SST["train"][0] + "\n")
    with pytest.raises(DataError, match="sst: no tree in its dev set"):
        read_treebanks(BOTH, data)
