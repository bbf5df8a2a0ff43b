"""Sets of one sentence, of graded pairs and of several files, counted by hand on files of our own."""

import numpy as np
import pytest
from write_file import write_file

from attest.config.compose import compose
from attest.data.prepare import prepare
from attest.data.readers.sick import SICK_TXT_COLUMNS
from attest.errors import DataError, SettingsError

SICK = "\t".join(SICK_TXT_COLUMNS) + "\n"
SIX_MORE = "\t" * 7
"""The six columns of SICK.txt that nobody reads, left empty."""
FILES = {
    "cr/custrev.neg": "too loud\n\n",
    "cr/custrev.pos": "a quiet fan\nno noise , two speeds\n\n",
    "trec/train_5500.label": "HUM:ind Who sings ?\nNUM:count How many sing ?\n",
    "trec/TREC_10.label": "HUM:ind Who waits ?\n",
    "sick/SICK.txt": SICK
    + f"1\ta cat\ta dog\tNEUTRAL\t2.5{SIX_MORE}TRAIN\n2\ta cat\tone cat\tENTAILMENT\t4.75{SIX_MORE}TEST\n"
    f"3\tx\ty\tNEUTRAL\t1{SIX_MORE}TRIAL\n4\tu\tv\tCONTRADICTION\t3.5{SIX_MORE}TRAIN\n",
    "sst/trees/train.txt": "(3 (2 so) (3 (2 it) (4 shines)))\n(2 dull)\n",
    "sst/trees/dev.txt": "(0 (2 it) (0 drags))\n",
    "sst/trees/test.txt": "(4 (2 it) (4 shines))\n",
    "multinli/multinli_1.0_train.jsonl": '{"gold_label": "neutral", "genre": "g", "sentence1": "a", "sentence2": ""}\n',
    "multinli/multinli_1.0_dev_matched.jsonl": '{"gold_label": "neutral", "sentence1": "c", "sentence2": "b"}\n',
    "glove/glove.6B.300d.txt": "".join(f"{word} {n} {n}\n" for n, word in enumerate(["a", "quiet", "waits", "?"], 1)),
}


@pytest.fixture
def prepared(tmp_path):
    for name, content in FILES.items():
        write_file(tmp_path / "data" / name, content)

    def make(*overrides: str):
        places = (f"paths.data={tmp_path / 'data'}", f"paths.cache={tmp_path / 'cache'}")
        return prepare(compose(["scale=paper", "vectors.size=2", *places, *overrides]))

    return make


def sentences(corpus, split, side=0):
    ragged = corpus.splits[split].sentences[side]
    return [
        " ".join(corpus.words[i] for i in ragged.padded_tokens(np.array([row]))[0])
        for row in range(len(ragged.lengths))
    ]


def test_a_pool_of_two_files(prepared):
    corpus = prepared("dataset=cr", "text=disan_sentences")
    (pool,) = corpus.splits.values()
    assert list(corpus.splits) == ["all"]
    assert sentences(corpus, "all") == ["too loud", "", "a quiet fan", "no noise , two speeds", ""]
    assert pool.labels.tolist() == [0, 0, 1, 1, 1]
    assert pool.rows.tolist() == [0, 1, 2, 3, 4]  # numbered on from one file to the next
    assert corpus.training_words == 10  # all folds share one vocabulary
    facts = corpus.facts["splits"]["all"]
    assert (facts["rows"], facts["used"], facts["labels"]) == (5, 5, {"negative": 2, "positive": 3})
    assert len(facts["sha256"].split()) == 2


def test_both_files_of_a_pool_have_to_hold_something(prepared, tmp_path):
    (tmp_path / "data/cr/custrev.pos").write_text("")
    with pytest.raises(DataError, match=r"custrev.pos: the file holds no labelled example"):
        prepared("dataset=cr", "text=disan_sentences")


def test_a_set_without_dev(prepared):
    corpus = prepared("dataset=trec", "text=disan_trec")
    assert list(corpus.splits) == ["train", "test"]
    assert sentences(corpus, "train") == ["who sings ?", "how many sing ?"]
    assert corpus.splits["train"].labels.tolist() == [3, 5]
    assert sentences(corpus, "test") == ["who waits ?"]  # waits has a vector, and training never shows it
    assert corpus.words[2 + corpus.training_words :] == ["waits"]


def test_one_file_for_all_splits_and_scores(prepared):
    corpus = prepared("dataset=sick_9840", "text=disan_sick")
    train = corpus.splits["train"]
    assert train.rows.tolist() == [0, 3]
    assert train.scores is not None
    assert train.scores.tolist() == [2.5, 3.5]
    assert [corpus.splits[name].rows.tolist() for name in ("dev", "test")] == [[2], [1]]
    assert [corpus.facts["splits"][name]["rows"] for name in ("train", "dev", "test")] == [2, 1, 1]
    assert sentences(corpus, "train", side=1) == ["a dog", "v"]


def test_phrases_are_trained_on_and_sentences_are_tested_on(prepared):
    corpus = prepared("dataset=sst", "text=disan_sst", "text.phrases=all")
    assert sentences(corpus, "train") == [
        "so it shines", "so", "it", "shines", "it shines", "dull"
    ]  # fmt: skip
    assert corpus.splits["train"].labels.tolist() == [3, 2, 2, 4, 3, 2]
    assert corpus.splits["train"].rows.tolist() == [0, 0, 0, 0, 0, 1]
    facts = corpus.facts["splits"]["train"]
    assert (facts["rows"], facts["labelled"], facts["with_parse"], facts["used"]) == (2, 2, 2, 6)
    assert len(corpus.splits["dev"]) == len(corpus.splits["test"]) == 1
    authors = prepared("dataset=sst", "text=disan_sst")
    assert len(authors.splits["train"]) == 4 + 1 + 1 + 4 + 4 + 4
    assert len(prepared("dataset=sst", "text=disan_sst", "text.phrases=sentences").splits["train"]) == 2


def test_splits_of_other_names(prepared):
    with pytest.raises(
        DataError, match=r"none of multinli_1.0_dev_mismatched.jsonl, .*xz and multinli_1.0.zip is there"
    ):
        prepared("dataset=multinli")
    corpus = prepared("dataset=multinli", "~dataset.files.mismatched")
    assert list(corpus.splits) == ["train", "test"]
    assert corpus.genres == ["g"]


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            ["experiment=disan/snli", "dataset=cr"],
            r"text.length_percentile: cr has no training set to measure lengths on; set text.length_percentile=100",
        ),
        (["dataset=trec", "text=disan_sst"], r"text.phrases: authors needs labelled trees, which trec lacks"),
        (
            ["dataset=sst", "text=disan_sst", "dataset.labels=[bad,good]"],
            r"2 names are given, but the format sst has 5 classes",
        ),
        (
            ["dataset=cr", "text=disan_sentences", "~dataset.files.all", "+dataset.files.all=cr/custrev.neg"],
            r"dataset.files.all: the format lines needs a file for each class; write all: \{LABEL: FILE",
        ),
        (
            ["dataset=cr", "text=disan_sentences", "+dataset.files.all.mixed=cr/custrev.neg"],
            r"dataset.files.all.mixed: not a label of cr",
        ),
    ],
)
def test_settings_that_do_not_fit_the_data_set(prepared, overrides, message):
    with pytest.raises(SettingsError, match=message):
        prepared(*overrides)
