"""The built-in corpora: the same bytes every time, official format, labels that follow from the grammar."""

import hashlib
import json
import shutil
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import pytest

from attest.config.compose import compose
from attest.data import mini
from attest.data.mini import grammar, trees
from attest.data.mini.provide import provide_data
from attest.data.readers import find_source
from attest.data.readers.nli import read_nli
from attest.data.text.tokens import tree_leaves, treebank_tokens
from attest.errors import DataError


def rows(data, split):
    return [json.loads(line) for line in (data / f"snli/snli_1.0_{split}.jsonl").read_text().splitlines()]


def digest(data, *patterns):
    files = sorted(path for pattern in patterns for path in data.glob(pattern))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def test_the_same_bytes_everywhere(mini_data):
    """A change of these files would change every mini run: raise attest.data.mini.write.VERSION with it."""
    assert digest(mini_data, "glove/glove.mini.24d.txt", "snli/*") == "50e659a670a05ce5"
    assert (mini.write.VERSION, digest(mini_data, "*/*.*", "*/*/*.*", "*/*/sentiment-*")) == (6, "e4180135cb735c92")


def test_an_older_version_is_written_anew(tmp_path):
    (tmp_path / "data/snli").mkdir(parents=True)
    (tmp_path / "data/VERSION").write_text("0")
    (tmp_path / "data/snli/old").touch()
    mini.ensure_corpora(tmp_path / "data")
    assert not (tmp_path / "data/snli/old").exists()
    assert len(rows(tmp_path / "data", "dev")) == mini.write.SNLI["dev"]


@pytest.mark.parametrize("killed", [True, False])
def test_an_older_version_whose_deletion_stopped_half_way_is_written_anew(killed, tmp_path, monkeypatch):
    """The process is killed meanwhile, or a shared disk keeps a file that is in use."""
    delete = shutil.rmtree

    def delete_half(path, **options):
        if not (Path(path) / "VERSION").is_file():
            return delete(path, **options)
        (Path(path) / "VERSION").unlink()
        if killed:
            raise KeyboardInterrupt
        return None

    monkeypatch.setattr(mini.write, "corpus_files", lambda: [("snli/new", iter(["1"]))])
    (tmp_path / "data").mkdir()
    (tmp_path / "data/VERSION").write_text("0")
    (tmp_path / "data/old").touch()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt) if killed else nullcontext():
        patch.setattr(shutil, "rmtree", delete_half)
        mini.ensure_corpora(tmp_path / "data")
    mini.ensure_corpora(tmp_path / "data")
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["VERSION", "snli"]


def test_an_empty_folder_is_filled(tmp_path, monkeypatch):
    monkeypatch.setattr(mini.write, "corpus_files", lambda: [("snli/new", iter(["1"]))])
    (tmp_path / "data").mkdir()
    mini.ensure_corpora(tmp_path / "data")
    assert mini.write.is_current(tmp_path / "data")


def test_a_folder_of_somebody_elses_is_never_touched(tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter").touch()
    with pytest.raises(DataError, match="does not hold the built-in corpora"):
        mini.ensure_corpora(tmp_path / "thesis")
    provide_data(compose([f"paths.data={tmp_path / 'thesis'}"]))
    assert [path.name for path in (tmp_path / "thesis").iterdir()] == ["chapter"]


def test_rows_have_the_official_fields(mini_data):
    row = rows(mini_data, "test")[0]
    assert {"annotator_labels", "captionID", "gold_label", "pairID", "sentence1", "sentence1_binary_parse",
            "sentence1_parse", "sentence2", "sentence2_binary_parse", "sentence2_parse"} <= set(row)  # fmt: skip
    assert len(row["annotator_labels"]) == 5


def test_parses_and_sentences_hold_the_same_words(mini_data):
    source = find_source(mini_data, "snli/snli_1.0_dev.jsonl")
    for example in read_nli(source, ("entailment", "neutral", "contradiction")):
        for sentence, parse in zip(example.sentences, example.parses, strict=True):
            assert tree_leaves(str(parse)) == treebank_tokens(sentence)


def test_word_order_decides_where_it_should(mini_data):
    """The same two bags of words occur with both labels, equally often: no bag of words beats a coin there."""
    votes: dict[tuple, Counter] = {}
    for row in rows(mini_data, "train"):
        if row["genre"] == "order" and row["gold_label"] != "-":
            bags = tuple(tuple(sorted(treebank_tokens(row[key].lower()))) for key in ("sentence1", "sentence2"))
            votes.setdefault(bags, Counter())[row["gold_label"]] += 1
    total = sum(counter.total() for counter in votes.values())
    best = sum(max(counter.values()) for counter in votes.values())
    assert total > 5000
    assert best / total < 0.62  # what memorising the majority label of each bag of the training set would reach


def test_labels_are_balanced_enough(mini_data):
    labels = Counter(row["gold_label"] for row in rows(mini_data, "test") if row["genre"] == "order")
    assert 0.45 < labels["entailment"] / (labels["entailment"] + labels["contradiction"]) < 0.55
    assert labels["-"] > 0


def test_every_kind_of_word_is_there(mini_data):
    """Trained words with and without a vector, frozen words, and words that are neither."""
    text = {split: {word for row in rows(mini_data, split) for key in ("sentence1", "sentence2")
                    for word in treebank_tokens(row[key].lower())} for split in ("train", "test")}  # fmt: skip
    has_vector = {line.split(" ")[0] for line in (mini_data / "glove/glove.mini.24d.txt").read_text().splitlines()}
    assert {"toddler", "greets"} <= text["train"] - has_vector
    frozen, unknown = grammar.RARE_NOUNS
    assert frozen in text["test"] - text["train"]
    assert frozen in has_vector
    assert unknown in text["test"] - text["train"] - has_vector


@pytest.mark.parametrize(
    ("tree", "bracketed", "binary"),
    [
        (("NP", ("DT", "the"), ("NN", "dog")), "(NP (DT the) (NN dog))", "( the dog )"),
        (
            ("S", ("NP", ("NN", "it")), ("VP", ("VBZ", "is")), (".", ".")),
            "(S (NP (NN it)) (VP (VBZ is)) (. .))",
            "( it ( is . ) )",
        ),
    ],
)
def test_trees(tree, bracketed, binary):
    assert trees.to_labelled_brackets(tree) == bracketed
    assert trees.to_binary_brackets(tree) == binary
    assert tree_leaves(binary) == trees.words(tree)
