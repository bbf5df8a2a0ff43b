"""The official files, where ATTEST_DATA has them: as many examples of every class as their authors say."""

import os
from collections import Counter

import pytest

from attest.configuration import compose
from attest.corpora.sts import read_sts
from attest.errors import DataError
from attest.reading import examples, files

DATA = os.environ.get("ATTEST_DATA", "")  # read before the fixtures take it away

COMPLETE = {
    "sst": {
        "train": {"very negative": 1092, "negative": 2218, "neutral": 1624, "positive": 2322, "very positive": 1288},
        "dev": {"very negative": 139, "negative": 289, "neutral": 229, "positive": 279, "very positive": 165},
        "test": {"very negative": 279, "negative": 633, "neutral": 389, "positive": 510, "very positive": 399},
    },
    "sick": {
        "train": {"ENTAILMENT": 1299, "NEUTRAL": 2536, "CONTRADICTION": 665},
        "dev": {"ENTAILMENT": 144, "NEUTRAL": 282, "CONTRADICTION": 74},
        "test": {"ENTAILMENT": 1414, "NEUTRAL": 2793, "CONTRADICTION": 720},
    },
    "sick_9840": {
        "train": {"ENTAILMENT": 1274, "NEUTRAL": 2524, "CONTRADICTION": 641},
        "dev": {"ENTAILMENT": 143, "NEUTRAL": 281, "CONTRADICTION": 71},
        "test": {"ENTAILMENT": 1404, "NEUTRAL": 2790, "CONTRADICTION": 712},
    },
    "trec": {
        "train": {"ABBR": 86, "DESC": 1162, "ENTY": 1250, "HUM": 1223, "LOC": 835, "NUM": 896},
        "test": {"ABBR": 9, "DESC": 138, "ENTY": 94, "HUM": 65, "LOC": 81, "NUM": 113},
    },
    "sst2": {
        "train": {"negative": 29780, "positive": 37569},
        "dev": {"negative": 428, "positive": 444},
        "test": {"negative": 912, "positive": 909},
    },
    "mrpc": {
        "train": {"different": 1323, "paraphrase": 2753},
        "test": {"different": 578, "paraphrase": 1147},
    },
    "mr": {"all": {"negative": 5331, "positive": 5331}},
    "cr": {"all": {"negative": 1368, "positive": 2407}},
    "subj": {"all": {"subjective": 5000, "objective": 5000}},
    "mpqa": {"all": {"negative": 7294, "positive": 3312}},
}
EMPTY = {"cr": 4, "mpqa": 3}
NEXT_LINES = {"mr": 22, "subj": 19}
"""Lines with a NEL inside, which is text."""


def official(*overrides):
    settings = compose(["scale=paper", f"paths.data={DATA}", *overrides])
    try:
        return settings, files(settings)
    except DataError as error:
        pytest.skip(f"ATTEST_DATA: {error}" if DATA else "ATTEST_DATA names no data folder")


@pytest.mark.parametrize("name", COMPLETE)
def test_official_counts(name):
    settings, found = official(f"dataset={name}")
    counted, texts = {split: Counter() for split in settings.dataset.files}, []
    for file in found:
        for example in examples(settings, file):
            counted[file.split][example.label] += 1
            texts += example.sentences
    assert counted == COMPLETE[name]
    assert {split: counter.total() for split, counter in counted.items()} == settings.dataset.expected
    assert sum(not text.strip() for text in texts) == EMPTY.get(name, 0)
    assert sum("\x85" in text for text in texts) == NEXT_LINES.get(name, 0)


def test_counts_of_the_part_of_yelp_that_is_at_hand():
    settings, (file,) = official("dataset=yelp", "dataset.files.all=yelp/yelp_review_full.train.sample5k.csv")
    counted = Counter(example.label for example in examples(settings, file))
    assert counted == {"1": 1036, "2": 986, "3": 982, "4": 1016, "5": 980}


def test_official_counts_of_sts14():
    settings, found = official("dataset=sts14")
    counted = {file.split: 0 for file in found}
    for pairs, scores in zip(found[::2], found[1::2], strict=True):
        assert (pairs.labels, scores.labels) == (("pairs",), ("scores",))
        counted[pairs.split] = sum(1 for _ in read_sts(pairs.source, scores.source))
    assert counted == settings.dataset.expected
    assert sum(counted.values()) == 3750


@pytest.mark.parametrize(("phrases", "number"), [("all", 318_582), ("authors", 619_836)])
def test_phrases_of_sst(phrases, number):
    """The authors' number is 318,582 + 3 x (98,794 parts that are not neutral + 1,624 sentences that are)."""
    settings, (train, *_) = official("dataset=sst", f"text.phrases={phrases}")
    assert sum(1 for _ in examples(settings, train)) == number
