"""Which examples play which part."""

from dataclasses import replace

import numpy as np
import pytest

from attest.config.settings import Protocol
from attest.data.corpus import Corpus
from attest.data.splits.split import Ragged, Split
from attest.data.splits.splitting import arrange_splits
from attest.errors import SettingsError

PROTOCOL = Protocol(name="paper", batch_size=4, steps=7)


def split_of(size, start=0):
    rows = np.arange(size) + start
    return Split((Ragged.from_lists([[2]] * size),), rows % 2, rows, np.full(size, -1, np.int16))


def corpus_of(**splits):
    return Corpus(splits, ["", ""], 0, np.zeros((2, 1)), [], {"fingerprint": "f"})


def rows(corpus):
    return {name: sorted(split.rows.tolist()) for name, split in corpus.splits.items()}


def test_official_splits_stay_as_they_are():
    corpus = corpus_of(train=split_of(5), dev=split_of(3, 5), test=split_of(2, 8), other=split_of(1, 10))
    assert rows(arrange_splits(corpus, PROTOCOL, 1)) == rows(corpus)


def test_splits_of_the_data_set_are_not_drawn_again():
    corpus = corpus_of(train=split_of(50), test=split_of(5, 50))
    with pytest.raises(SettingsError, match=r"protocol.drawn: the data set has splits \(train, test\) already"):
        arrange_splits(corpus, replace(PROTOCOL, drawn=(10, 5, 5)), 1)


def test_a_dev_set_is_lent_from_the_training_set_and_follows_from_the_seed():
    corpus = corpus_of(train=split_of(50), test=split_of(5, 50))
    first, same, other = (arrange_splits(corpus, PROTOCOL, seed) for seed in (1, 1, 2))
    assert rows(first) == rows(same)
    assert rows(first)["dev"] != rows(other)["dev"]
    assert len(first.splits["dev"]) == 5
    assert sorted(rows(first)["train"] + rows(first)["dev"]) == list(range(50))
    assert rows(first)["test"] == list(range(50, 55))


def test_a_training_set_that_dev_would_empty_is_refused():
    with pytest.raises(SettingsError, match=r"dataset.files: no training example is left after dev has got its share"):
        arrange_splits(corpus_of(train=split_of(1), test=split_of(1, 1)), PROTOCOL, 1)


def test_the_test_set_may_stand_in_for_dev():
    corpus = corpus_of(train=split_of(50), test=split_of(5, 50))
    found = rows(arrange_splits(corpus, replace(PROTOCOL, missing_dev="test"), 1))
    assert found["dev"] == found["test"]
    assert len(found["train"]) == 50


def test_every_example_of_a_pool_is_tested_on_once():
    corpus = corpus_of(all=split_of(53))
    tested = []
    for fold in range(10):
        found = rows(arrange_splits(corpus, replace(PROTOCOL, fold=fold), 1))
        assert sorted(found["train"] + found["dev"] + found["test"]) == list(range(53))
        tested += found["test"]
    assert sorted(tested) == list(range(53))
    assert rows(arrange_splits(corpus, PROTOCOL, 1)) == rows(arrange_splits(corpus, replace(PROTOCOL, fold=0), 1))


def test_folds_of_a_column_are_the_test_sets():
    folds = np.arange(53) % 4 + 3
    pool = replace(split_of(53), folds=folds)
    for fold in (3, 4, 5, 6):
        found = rows(arrange_splits(corpus_of(all=pool), replace(PROTOCOL, fold=fold), 1))
        assert found["test"] == np.flatnonzero(folds == fold).tolist()
        assert sorted(found["train"] + found["dev"] + found["test"]) == list(range(53))
    first = arrange_splits(corpus_of(all=pool), PROTOCOL, 1)
    assert rows(first)["test"] == np.flatnonzero(folds == 3).tolist()
    assert first.facts["folds"] == 4
    assert "folds" not in arrange_splits(corpus_of(all=split_of(53)), PROTOCOL, 1).facts
    with pytest.raises(SettingsError, match="protocol.fold: 0 is not a fold of the data set; choose one of 3, 4"):
        arrange_splits(corpus_of(all=pool), replace(PROTOCOL, fold=0), 1)
    with pytest.raises(
        SettingsError, match=r"dataset.columns.fold: the column names only fold 3; a run needs two folds"
    ):
        arrange_splits(corpus_of(all=pool.select(np.flatnonzero(folds == 3))), PROTOCOL, 1)
    with pytest.raises(SettingsError, match=r"protocol.drawn: not possible, .* in a column; type protocol.drawn=null"):
        arrange_splits(corpus_of(all=pool), replace(PROTOCOL, drawn=(9, 2, 2)), 1)
    with pytest.raises(SettingsError, match=r"protocol.folds: not possible, .* in a column; remove protocol.folds"):
        arrange_splits(corpus_of(all=pool), replace(PROTOCOL, folds=5), 1)


@pytest.mark.parametrize(("key", "value"), [("fold", 0), ("folds", 5)])
def test_folds_of_data_with_splits_or_drawn_ones_are_refused(key, value):
    """They would change the id of a run, and nothing else."""
    protocol = replace(PROTOCOL, **{key: value})
    with pytest.raises(SettingsError, match=rf"protocol.{key}: not possible, .* splits \(train, test\) and no folds"):
        arrange_splits(corpus_of(train=split_of(50), test=split_of(5, 50)), protocol, 1)
    with pytest.raises(SettingsError, match=rf"protocol.{key}: protocol.drawn draws splits by the seed"):
        arrange_splits(corpus_of(all=split_of(50)), replace(protocol, drawn=(9, 2, 2)), 1)


@pytest.mark.parametrize(
    ("splits", "changes", "reason"),
    [
        ({"train": 50, "dev": 5, "test": 5}, {}, "the data set has a dev set of its own"),
        ({"all": 50}, {"drawn": (9, 2, 2)}, "protocol.drawn draws the dev set"),
        ({"train": 50, "test": 5}, {"missing_dev": "test"}, "protocol.missing_dev=test makes the test set the dev set"),
    ],
)
def test_a_fraction_of_the_training_set_for_dev_is_refused_where_none_is_held_out(splits, changes, reason):
    """It would change the id of a run, and nothing else."""
    corpus = corpus_of(**{name: split_of(size) for name, size in splits.items()})
    protocol = replace(PROTOCOL, **changes)
    arrange_splits(corpus, protocol, 1)
    with pytest.raises(
        SettingsError, match=rf"protocol.dev_fraction: without effect, since {reason}; remove protocol.dev_fraction"
    ):
        arrange_splits(corpus, replace(protocol, dev_fraction=0.2), 1)


@pytest.mark.parametrize("splits", [{"train": 50, "test": 5}, {"all": 56}])
def test_the_fraction_for_dev_is_that_of_the_training_set(splits):
    corpus = corpus_of(**{name: split_of(size) for name, size in splits.items()})
    found = rows(arrange_splits(corpus, replace(PROTOCOL, dev_fraction=0.2), 1))
    assert (len(found["train"]), len(found["dev"])) == (40, 10)


def test_of_a_training_set_the_seed_draws_some_and_fewer_are_among_more():
    corpus = corpus_of(train=split_of(50), dev=split_of(3, 50), test=split_of(2, 53))

    def drawn(examples, seed=1):
        return arrange_splits(corpus, replace(PROTOCOL, examples=examples), seed)

    few, more, other = drawn(5), drawn(20), drawn(5, seed=2)
    assert (len(few.splits["train"]), few.facts["examples"]) == (5, 5)
    assert set(rows(few)["train"]) < set(rows(more)["train"])
    assert rows(few)["train"] != rows(other)["train"]
    assert rows(few)["dev"] == rows(corpus)["dev"]
    assert rows(few)["test"] == rows(corpus)["test"]
    assert (rows(drawn(99)), drawn(99).facts["examples"]) == (rows(corpus), 50)
    assert "examples" not in arrange_splits(corpus, PROTOCOL, 1).facts


def test_folds_that_cannot_be_are_refused():
    with pytest.raises(SettingsError, match="protocol.fold: expected 0 to 9, got 10"):
        arrange_splits(corpus_of(all=split_of(53)), replace(PROTOCOL, fold=10), 1)
    for fold in (0, 7, 9):
        with pytest.raises(
            SettingsError, match=r"^protocol.folds: 8 examples cannot be cut into 10 folds; choose fewer"
        ):
            arrange_splits(corpus_of(all=split_of(8)), replace(PROTOCOL, fold=fold), 1)
    with pytest.raises(SettingsError, match="the data set has splits"):
        arrange_splits(corpus_of(train=split_of(5), dev=split_of(1), test=split_of(1)), replace(PROTOCOL, fold=1), 1)


def test_an_empty_test_set_is_refused():
    with pytest.raises(SettingsError, match=r"dataset.files: no example is left for test; name a file for it"):
        arrange_splits(corpus_of(train=split_of(8), test=split_of(0)), PROTOCOL, 1)
