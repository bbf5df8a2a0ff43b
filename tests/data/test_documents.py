"""Documents from one file: splits that the seed draws, long ones cut short, batches in the order of the file."""

import json

import numpy as np
import pytest
from write_file import write_file

from attest.config.compose import compose
from attest.data.batches.protocol import training_batches
from attest.data.prepare import prepare
from attest.data.splits.splitting import arrange_splits
from attest.errors import DataError, SettingsError
from attest.reproduction.tables.data_deviations import data_deviations

ROWS = 50


@pytest.fixture
def data(tmp_path):
    lines = [f'"{1 + i % 5}","{" ".join(["soup"] * i)}"' for i in range(ROWS)]  # the first review has no words
    write_file(tmp_path / "data/yelp/train.csv", "\n".join(lines) + "\n")
    write_file(tmp_path / "data/word2vec/a.txt", "1 2\nsoup 1 2\n")
    return tmp_path / "data"


@pytest.fixture
def settings(data):
    own = ["scale=paper", f"paths.data={data}", "dataset=yelp", "vectors.file=word2vec/a.txt", "vectors.size=2"]
    plain = ["text.tokens=whitespace", "text.length_percentile=100", "text.split_characters=''"]
    return lambda *overrides: compose([*own, *plain, *overrides])


def test_the_seed_draws_splits_without_overlap(settings):
    chosen = settings("protocol.drawn=[30,10,5]")
    corpus = prepare(chosen)
    drawn = {seed: arrange_splits(corpus, chosen.protocol, seed).splits for seed in (1, 2)}
    for splits in drawn.values():
        assert {name: len(split) for name, split in splits.items()} == {"train": 30, "dev": 10, "test": 5}
        assert len(np.unique(np.concatenate([split.rows for split in splits.values()]))) == 45
    assert drawn[1]["test"].rows.tolist() != drawn[2]["test"].rows.tolist()
    assert drawn[1]["test"].rows.tolist() == arrange_splits(corpus, chosen.protocol, 1).splits["test"].rows.tolist()


def test_a_set_that_is_too_small_gives_a_tenth_each(settings):
    chosen = settings("protocol.drawn=[500000,2000,2000]")
    corpus = arrange_splits(prepare(chosen), chosen.protocol, 1)
    assert corpus.facts["drawn"] == {"train": 40, "dev": 5, "test": 5}
    data = {**corpus.facts, "expected": {"splits": {"all": 650_000}, "vectors": None}}
    assert data_deviations(data, {"text.tokens": "whitespace", "protocol.drawn": [500_000, 2_000, 2_000]}) == [
        "all: 50 of 650,000 labelled examples (0.0%)",
        "train: 40 drawn instead of 500,000",
        "dev: 5 drawn instead of 2,000",
        "test: 5 drawn instead of 2,000",
    ]


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["protocol.drawn=[3,4]"], "protocol.drawn: expected the sizes of train, dev, test; got 2 numbers"),
        (["protocol.drawn=[3,4,5]", "protocol.fold=1"], "protocol.fold: protocol.drawn draws splits by the seed"),
    ],
)
def test_splits_that_cannot_be_drawn_are_refused(settings, overrides, message):
    chosen = settings(*overrides)
    with pytest.raises(SettingsError, match=message):
        arrange_splits(prepare(chosen), chosen.protocol, 1)


def test_what_is_cut_off_is_counted_and_shown(settings):
    whole, short = prepare(settings()), prepare(settings("text.token_limit=40"))
    assert whole.facts["splits"]["all"]["empty"] == 1
    assert "cut" not in whole.facts["splits"]["all"]
    lengths = short.splits["all"].sentences[0].lengths
    assert lengths.tolist() == [min(i, 40) for i in range(ROWS)]
    cut = short.facts["splits"]["all"]["cut"]
    assert cut == {"examples": 9, "tokens": 45, "share": round(45 / sum(range(ROWS)), 4)}
    data = {**short.facts, "expected": {"splits": {"all": ROWS}, "vectors": None}}
    assert data_deviations(data, {"text.tokens": "whitespace"}) == ["all: 9 examples cut short (3.7% of the words)"]
    cut["examples"] = 1
    assert data_deviations(data, {"text.tokens": "whitespace"}) == ["all: 1 example cut short (3.7% of the words)"]


def test_documents_without_words_stay_and_are_told_of(settings, caplog):
    with caplog.at_level("INFO"):
        assert len(prepare(settings()).splits["all"]) == ROWS
    told = "yelp/train.csv:1: the first of 1 examples with an empty sentence, which are kept"
    assert told in caplog.text


def test_batches_in_order_are_the_same_in_every_epoch(settings):
    chosen = settings("protocol.drawn=[30,10,5]", "protocol.batches=in_order", "protocol.batch_size=8")
    batches = training_batches(prepare(chosen).splits["all"], chosen.protocol, 1)
    assert batches.steps_per_epoch == ROWS // 8
    assert [batches.examples(step).tolist() for step in (0, 5, 6)] == [
        list(range(8)), list(range(40, 48)), list(range(8)),
    ]  # fmt: skip


@pytest.mark.parametrize("dataset", ["yelp", "age"])
def test_built_in_documents_are_read_drawn_and_have_vectors(dataset, settings_with):
    chosen = settings_with(f"dataset={dataset}", "text=ssa", "protocol.drawn=[1600,200,200]")
    corpus = arrange_splits(prepare(chosen), chosen.protocol, 1)
    assert corpus.facts["drawn"] == {"train": 1600, "dev": 200, "test": 200}
    assert corpus.facts["vectors"]["tokens_found"]["all"] > 0.9
    assert np.bincount(corpus.splits["train"].labels, minlength=5).min() > 50


def test_json_lines_in_place_of_csv(settings, data):
    rows = [{"stars": 1.0 + i % 5, "text": "soup"} for i in range(10)]
    (data / "yelp/b.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert len(prepare(settings("dataset.files.all=yelp/b.json")).splits["all"]) == 10


def test_a_tweet_that_is_too_long_names_the_file_and_line_of_the_tweet(settings, data):
    tweets = "<document>soup</document>\n<document>\n" + "soup " * 10_001 + "</document>"
    (data / "yelp/ann.xml").write_text(f"<author><documents>\n{tweets}\n</documents></author>")
    (data / "yelp/truth.txt").write_text("ann:::FEMALE:::18-24\n")
    with pytest.raises(DataError, match=r"/ann.xml:3: the sentence has 10,001 tokens"):
        prepare(settings("dataset=age", "dataset.files.all=yelp/truth.txt", "text.token_limit=null"))
