"""Which test pairs are hard: derived from hypotheses alone, or published."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from attest.cli.commands.hard import report_lines
from attest.errors import DataError, SettingsError
from attest.reproduction.tables import hypothesis_classifier
from attest.reproduction.tables.hard_pairs import hard_pairs_record
from attest.reproduction.tables.hypothesis_classifier import HypothesisClassifier
from attest.reproduction.tables.subsets import partial_note
from attest.runs.store import Store

LABELS = ("entailment", "neutral", "contradiction")
GIVEN_AWAY = {"entailment": "somebody is outdoors", "neutral": "they are friends", "contradiction": "nobody is there"}


def pair(label, hypothesis, number):
    return {"gold_label": label, "sentence1": f"A dog runs {number} .", "sentence2": hypothesis, "pairID": f"p{number}"}


def written(path: Path, rows) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def small(home, settings_with):
    """A training set that gives labels away, and a test set where pairs 2 and 4 do not follow it; pair 1 has none."""
    data = home / "data"
    train = [pair(label, GIVEN_AWAY[label], number) for number in range(10) for label in LABELS]
    test = [
        pair("entailment", GIVEN_AWAY["entailment"], 0),
        pair("-", "nobody agrees", 1),
        pair("neutral", GIVEN_AWAY["contradiction"], 2),
        pair("contradiction", GIVEN_AWAY["contradiction"], 3),
        pair("entailment", GIVEN_AWAY["neutral"], 4),
    ]
    for name, rows in (("train", train), ("test", test)):
        written(data / f"snli/snli_1.0_{name}.jsonl", rows)
    return settings_with("dataset=snli", f"paths.data={data}"), test


def store_of(settings):
    return Store(Path(settings.paths.records))


def test_pairs_that_the_hypothesis_misleads_about_are_hard(small):
    settings, _ = small
    record = hard_pairs_record(settings)
    assert store_of(settings).arrays(record.id)["rows"].tolist() == [2, 4]
    assert record.metrics == {"train/accuracy": 100.0, "test/accuracy": 50.0, "test/hard": 2, "test/easy": 2}
    assert record.settings == {"subset": "hard", "origin": "derived", "dataset.name": "snli",
                               "longest": 2, "least": 2, "strength": 1.0}  # fmt: skip
    assert {name: split["labelled"] for name, split in record.data["splits"].items()} == {"train": 30, "test": 4}


def test_what_is_known_is_not_derived_again(small, monkeypatch):
    settings, _ = small
    record = hard_pairs_record(settings)
    monkeypatch.setattr(HypothesisClassifier, "fit", None)
    assert hard_pairs_record(settings).id == record.id
    monkeypatch.undo()
    assert hard_pairs_record(settings, HypothesisClassifier(longest=1)).id != record.id


@pytest.mark.parametrize("named", [True, False])
def test_published_pairs_are_preferred_and_found_in_the_test_set(small, named):
    settings, test = small
    chosen = [test[4], test[0]]
    if not named:
        chosen = [{key: value for key, value in row.items() if key != "pairID"} for row in chosen]
    written(Path(settings.paths.data) / settings.dataset.hard, chosen)
    (Path(settings.paths.data) / "snli/snli_1.0_train.jsonl").unlink()
    record = hard_pairs_record(settings)
    assert record.settings["origin"] == "published"
    assert store_of(settings).arrays(record.id)["rows"].tolist() == [0, 4]
    assert record.metrics == {"test/hard": 2, "test/easy": 2}


def test_a_tokenised_copy_is_found_by_its_letters_and_digits(small):
    settings, _ = small
    changed = {"gold_label": "entailment", "sentence1": "a dog runs 0", "sentence2": "SOMEBODY is outdoors ."}
    missing = {**changed, "sentence1": "A cat runs 0 ."}
    written(Path(settings.paths.data) / settings.dataset.hard, [changed, missing])
    record = hard_pairs_record(settings)  # of a test set that has 4 of 9,824 pairs
    assert store_of(settings).arrays(record.id)["rows"].tolist() == [0]
    assert partial_note(record) == "hard pairs: our test set has 1 of the 2 published ones"


def test_a_published_pair_that_is_not_in_the_test_set_is_named(small):
    settings, test = small
    settings = replace(settings, dataset=replace(settings.dataset, expected={"test": 4}))
    written(Path(settings.paths.data) / settings.dataset.hard, [test[0], {**test[2], "pairID": "p99"}])
    with pytest.raises(DataError, match=r"snli_1.0_test_hard.jsonl:2: this pair is not in the test set"):
        hard_pairs_record(settings)
    assert list(store_of(settings)) == []


def test_sets_without_hypotheses_have_no_hard_pairs(settings_with):
    with pytest.raises(SettingsError, match="sick has no hypotheses; hard pairs are of sets such as snli"):
        hard_pairs_record(settings_with("experiment=disan/sick"))


def test_what_does_not_come_to_rest_is_no_classifier(small, monkeypatch):
    settings, _ = small
    monkeypatch.setattr(hypothesis_classifier, "MAX_ITERATIONS", 1)
    with pytest.raises(DataError, match="the classifier of hypotheses did not converge in 1 iterations"):
        hard_pairs_record(settings)


@pytest.mark.parametrize("missing", ["train", "test"])
def test_a_data_set_without_one_of_both_splits_is_refused(small, missing):
    settings, _ = small
    files = {name: path for name, path in settings.dataset.files.items() if name != missing}
    settings = replace(settings, dataset=replace(settings.dataset, files=files))
    with pytest.raises(SettingsError, match=rf"dataset.files.{missing}: missing; snli has only .*dev.* need train and"):
        hard_pairs_record(settings)


@pytest.mark.parametrize(("expected", "known"), [({"train": 549_367}, "30 of 549,367"), ({}, "30")])
def test_report_of_hard_pairs(small, expected, known):
    """A data set of the user's own does not state how many pairs it has."""
    settings, _ = small
    settings = replace(settings, scale="paper", dataset=replace(settings.dataset, expected=expected))
    lines = list(report_lines(hard_pairs_record(settings), settings))
    assert lines[0] == "snli: 2 of 4 test pairs are hard, derived"
    assert lines[2:4] == [
        f"a classifier of the hypothesis alone, trained on {known} pairs, labels",
        "50.0% of the test pairs rightly (100.0% of the training pairs)",
    ]
