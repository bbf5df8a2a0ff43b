"""The official files, where ATTEST_DATA has them: as many examples of every class as their authors say."""

import os
from collections import Counter

import pytest

from attest.config.compose import compose
from attest.data.dataset import official_files, read_examples
from attest.data.readers.sts import read_sts
from attest.data.text.tokens import tokenise
from attest.errors import DataError

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
    "stsb": {
        "train": {"0": 592, "1": 833, "2": 902, "3": 1359, "4": 1435, "5": 628},
        "dev": {"0": 236, "1": 241, "2": 266, "3": 353, "4": 276, "5": 128},
        "test": {"0": 178, "1": 196, "2": 233, "3": 293, "4": 317, "5": 162},
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
    if not DATA:
        pytest.skip("ATTEST_DATA names no data folder")
    settings = compose(["scale=paper", f"paths.data={DATA}", *overrides])
    try:
        return settings, official_files(settings)
    except DataError as error:
        pytest.skip(f"ATTEST_DATA: {error}")


def test_trees_of_two_classes():
    """Sentences without a label, and their parts, are the trees' neutral ones."""
    settings, found = official("dataset=sst2_trees", "text=psan", "text.phrases=all")
    labels = {file.split: [example.label for example in read_examples(settings, file)] for file in found}
    assert Counter(labels["dev"]) == {"negative": 428, "positive": 444, None: 229}
    assert Counter(labels["test"]) == {"negative": 912, "positive": 909, None: 389}
    assert len([label for label in labels["train"] if label is not None]) == 98_794
    assert settings.dataset.expected == {"train": 1092 + 2218 + 2322 + 1288, "dev": 872, "test": 1821}


@pytest.mark.parametrize("name", COMPLETE)
def test_official_counts(name):
    settings, found = official(f"dataset={name}")
    counted, texts = {split: Counter() for split in settings.dataset.files}, []
    for file in found:
        for example in read_examples(settings, file):
            counted[file.split][example.label] += 1
            texts += example.sentences
    assert counted == COMPLETE[name]
    assert {split: counter.total() for split, counter in counted.items()} == settings.dataset.expected
    assert sum(not text.strip() for text in texts) == EMPTY.get(name, 0)
    assert sum("\x85" in text for text in texts) == NEXT_LINES.get(name, 0)


def test_counts_of_the_part_of_yelp_that_is_at_hand():
    settings, (file,) = official("dataset=yelp", "dataset.files.all=yelp/yelp_review_full.train.sample5k.csv")
    counted = Counter(example.label for example in read_examples(settings, file))
    assert counted == {"1": 1036, "2": 986, "3": 982, "4": 1016, "5": 980}


def test_official_counts_of_sts14():
    settings, found = official("dataset=sts14")
    counted = {file.split: 0 for file in found}
    for pairs, scores in zip(found[::2], found[1::2], strict=True):
        assert (pairs.labels, scores.labels) == (("pairs",), ("scores",))
        counted[pairs.split] = sum(1 for _ in read_sts(pairs.source, scores.source))
    assert counted == settings.dataset.expected
    assert sum(counted.values()) == 3750


SOURCES_OF_STSB = {
    "MSRpar": [1000, 250, 250], "headlines": [1999, 250, 250], "deft-news": [300, 0, 0], "MSRvid": [1000, 250, 250],
    "images": [1000, 250, 250], "track5.en-en": [0, 125, 125], "deft-forum": [450, 0, 0], "answers-forums": [0, 375, 0],
    "answer-answer": [0, 0, 254],
}  # fmt: skip
"""Table 2 of Lopez-Gazpio et al. 2019: train, dev and test."""


def test_official_sources_of_stsb():
    settings, found = official("dataset=stsb")
    counted = [Counter(example.genre for example in read_examples(settings, file)) for file in found]
    assert {source: [counter[source] for counter in counted] for source in SOURCES_OF_STSB} == SOURCES_OF_STSB
    assert sum(counter.total() for counter in counted) == sum(map(sum, SOURCES_OF_STSB.values()))


@pytest.mark.parametrize(("lemmas", "number", "contradictions"), [("none", 615, 418), ("rules", 792, 427)])
def test_pairs_of_sick_that_become_identical_bags(lemmas, number, contradictions):
    """Most of them contradictions, since "not" and "no" are stop words: a model can learn that from nothing else."""
    settings, (*_, test) = official("dataset=sick", "text=dam_content", f"text.lemmas={lemmas}")
    bags = [
        (example.label, *(Counter(tokenise(text, None, settings.text)) for text in example.sentences))
        for example in read_examples(settings, test)
    ]
    same = Counter(label for label, first, second in bags if first == second)
    assert (same.total(), same["CONTRADICTION"]) == (number, contradictions)


@pytest.mark.parametrize(("phrases", "number"), [("all", 318_582), ("authors", 619_836)])
def test_phrases_of_sst(phrases, number):
    """The authors' number is 318,582 + 3 x (98,794 parts that are not neutral + 1,624 sentences that are)."""
    settings, (train, *_) = official("dataset=sst", f"text.phrases={phrases}")
    assert sum(1 for _ in read_examples(settings, train)) == number
