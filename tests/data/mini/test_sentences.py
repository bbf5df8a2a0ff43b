"""The built-in sets of one sentence and of graded pairs: official formats, and classes that can be learnt."""

import numpy as np
import pytest

from attest.data.mini import opinions, sentences
from attest.data.prepare import prepare
from attest.data.readers import find_source
from attest.data.readers.sick import read_sick
from attest.data.readers.sst import read_sst
from attest.data.splits.folds import hold_out, stratified_folds

GRADES = ("-2", "-1", "0", "1", "2")
TEXTS = {
    "sst": "disan_sst",
    "sst2_trees": "disan_sst",
    "trec": "disan_trec",
    "sick": "disan_sick",
    "sick_9840": "disan_sick",
}


@pytest.fixture
def prepared(settings_with):
    return lambda name: prepare(settings_with(f"dataset={name}", f"text={TEXTS.get(name, 'disan_sentences')}"))


NAMES = ("sst", "sst2", "sst2_trees", "sick", "sick_9840", "trec", "mr", "cr", "subj", "mpqa", "mrpc", "stsb")


@pytest.mark.parametrize("name", NAMES)
def test_every_set_is_prepared_and_its_words_have_vectors(prepared, name):
    corpus = prepared(name)
    facts = corpus.facts
    for split, share in facts["vectors"]["tokens_found"].items():
        assert 0.9 < share <= 1, split
    if name in ("sst", "mr", "cr", "subj", "mpqa"):  # words without a vector start at random
        assert facts["vectors"]["training_words_found"] < facts["vectors"]["training_words"]
    assert all(min(part["labels"].values()) > 0 for part in facts["splits"].values())


def test_multinli_has_the_splits_and_genres_of_the_official_files(settings_with):
    corpus = prepare(settings_with("dataset=multinli"))
    assert list(corpus.splits) == ["train", "test", "mismatched"]
    assert set(corpus.genres) == {"order", "words"}
    facts = corpus.facts["splits"]
    assert facts["train"]["with_parse"] == facts["train"]["rows"] == 3000
    assert corpus.words[2 + corpus.training_words :] == ["donkey"]  # a mismatched word with a vector


def test_what_the_official_files_have_is_there_too(mini_data):
    """Empty samples, NEL inside lines, letters of latin-1, escaped brackets."""
    texts = {name: (mini_data / path).read_bytes() for name, path, _ in sentences.CLASS_FILES}
    assert texts["cr"].endswith(b"\n\n")
    assert texts["mpqa"].endswith(b"\n\n")
    assert b"\x85" in texts["mr"]
    assert b"caf\xe9" in texts["mr"]
    assert b" ( or " in texts["mr"]
    assert "-LRB-" in (mini_data / "sst/trees/train.txt").read_text(encoding="utf-8")


def test_the_tree_decides_the_class(mini_data):
    """'not' turns a grade round, 'very' makes it stronger, and what stands behind 'but' counts."""
    known = {word: grade for grade, words in opinions.ADJECTIVES.items() for word in words}
    turned = 0
    for example in read_sst(find_source(mini_data, "sst/trees/dev.txt"), GRADES):
        said = example.sentences[0].split(" ")
        last = said[-2]
        turned += "not" in said
        strength = max(-2, min(2, known[last] * (2 if said[-3] == "very" else 1)))
        negated = "not" in said[-4:-2] and said[-4:-2] != ["not", "but"]
        assert example.label == str(-np.sign(strength) if negated else strength)
    assert turned > 50


def test_sick_is_the_same_in_both_distributions(mini_data):
    labels = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")
    whole = list(read_sick(find_source(mini_data, "sick/SICK.txt"), labels))
    for split, name in {"train": "SICK_train", "dev": "SICK_trial", "test": "SICK_test_annotated"}.items():
        own = list(read_sick(find_source(mini_data, f"sick/{name}.txt"), labels))
        same = [example for example in whole if example.split == split]
        assert [(e.sentences, e.label, e.score) for e in own] == [(e.sentences, e.label, e.score) for e in same]
    scores = [example.score for example in whole]
    assert min(scores) < 1.5
    assert max(scores) == 5


def bags(split, words):
    """(N, V) which words each sentence of one word or more holds, with a constant."""
    table = np.zeros((len(split), words + 1))
    table[:, -1] = 1
    for row in range(len(split)):
        for ragged in split.sentences:
            table[row, ragged.tokens[ragged.offsets[row] : ragged.offsets[row + 1]]] = 1
    return table


@pytest.mark.parametrize("name", ["sst", "trec", "mr", "cr", "subj", "mpqa"])
def test_words_alone_tell_more_than_the_largest_class_and_not_all(prepared, name):
    """Least squares on bags of words: there is something to learn, and order or negation is left to the encoders."""
    corpus = prepared(name)
    if "all" in corpus.splits:
        pool = corpus.splits["all"]
        train, test = hold_out(pool, stratified_folds(pool.labels, 10, 1), 0)
    else:
        train, test = corpus.splits["train"], corpus.splits["test"]
        train = train.select(np.random.default_rng(0).permutation(len(train))[:3000])
    targets = np.eye(int(train.labels.max()) + 1)[train.labels]
    weights = np.linalg.lstsq(bags(train, len(corpus.words)), targets, rcond=None)[0]
    right = ((bags(test, len(corpus.words)) @ weights).argmax(-1) == test.labels).mean()
    largest = np.bincount(test.labels).max() / len(test)
    assert right > largest + 0.08
    assert right < 0.95 or name in ("subj", "trec")
