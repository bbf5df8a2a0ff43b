"""Accuracy on a part of the test set, from stored predictions; made-up runs, by hand."""

import numpy as np
import pytest
from reproduction.made_up import finished_run, put_hard_pairs

from attest.config.compose import compose
from attest.config.paths import shipped_folder
from attest.data.splits.split import Ragged, Split
from attest.errors import SettingsError
from attest.reproduction.load import records_in
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.pages.terminal.table_runs import render_runs
from attest.reproduction.publish import copy_table_records
from attest.reproduction.specs.table import load_table, read_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.subsets import with_subsets
from attest.runs.store import Store

SPEC = load_table("dam/table8")


@pytest.fixture
def store(home):
    return Store(home / "results/local/records")


def run(store, seed=1, right=(True, True, False, False), bags=(False, True, False, False)):
    settings = compose([*SPEC.base, "experiment=dam/snli/ngram_ff", "scale=paper", f"seed={seed}"])
    record = finished_run(settings)
    gold = np.zeros(4, np.int16)
    store.put(record, {"rows": np.array([3, 5, 8, 9]), "labels": gold, "same_bag": np.array(bags),
                       "predictions": gold + ~np.array(right)})  # fmt: skip
    return record


def table(store):
    return build(SPEC, "paper", records_in([store.folder.parent]))


def test_the_same_words_in_any_order_are_one_bag():
    first, second = (
        Ragged.from_lists([[2, 3], [2, 2, 3], [4], [], [2]]),
        Ragged.from_lists([[3, 2], [2, 3, 3], [4, 4], [], [3]]),
    )
    assert Split.from_sentences(first, second).same_bags().tolist() == [True, False, False, True, False]


def test_views_by_hand(store):
    made = run(store)
    (only,) = with_subsets([made], [], [store])
    assert only.metrics["test/accuracy@distinct"] == pytest.approx(100 / 3)  # one of the pairs 3, 8 and 9
    assert "test/accuracy@hard" not in only.metrics
    put_hard_pairs(store, "abc", [5, 8, 9])
    (only,) = records_in([store.folder.parent])
    assert only.metrics["test/accuracy@hard"] == pytest.approx(100 / 3)
    assert only.metrics["test/accuracy"] == made.metrics["test/accuracy"]
    assert store.get(made.id) == made  # nothing is written


def test_published_pairs_count_first_then_those_derived_from_most(store):
    made = run(store)
    put_hard_pairs(store, "other", [3], test="another test set", origin="published")
    put_hard_pairs(store, "few", [3, 5], train=100)
    put_hard_pairs(store, "many", [8, 9], train=200)
    (only,) = records_in([store.folder.parent])
    assert only.metrics["test/accuracy@hard"] == 0.0
    assert only.data["subsets"]["hard"]["subset"] == "many"
    put_hard_pairs(store, "said", [5], origin="published")
    (only,) = records_in([store.folder.parent])
    assert (only.id, only.metrics["test/accuracy@hard"]) == (made.id, 100.0)
    assert only.data["subsets"]["hard"] == {"subset": "said", "deviation": "", "derived": False, "pairs": 1}


def test_derived_pairs_are_called_so_wherever_they_are_shown(store):
    run(store)
    put_hard_pairs(store, "abc", [5, 8])
    text = render_table(table(store))
    assert "| SNLI hard, derived (%), ours | SNLI hard, derived (%), paper | MultiNLI hard (%), ours |" in text
    row = next(row for row in text.splitlines() if row.startswith("| DAM N-gram"))
    assert "| 50.0 | 73.4 |" in row
    assert "SNLI hard: " not in row.partition("SNLI hard: done")[0]  # no finding, for these are other pairs
    assert "hard pairs derived, not the published ones: 2 of 9,824 test pairs" in text
    assert "SNLI hard, derived 50.0 %   paper 73.4\n" in render_runs(table(store))


def test_published_pairs_have_a_finding_and_are_not_called_derived(store):
    for seed, right in ((1, [True] * 4), (2, [True, True, False, True]), (3, [True, True, True, False])):
        run(store, seed, right)
    put_hard_pairs(store, "said", [8, 9], origin="published")
    text = render_table(table(store))
    assert "derived" not in text.partition("\n- ")[0].partition("Deviations")[0]
    assert "SNLI hard: undecided" in text


def test_publishing_a_table_takes_the_subset_along(store, home):
    made = run(store)
    put_hard_pairs(store, "abc", [5, 8])
    copy_table_records(table(store), store.folder.parent, home / "results")
    tracked = Store(home / "results/records")
    assert {record.id for record in tracked} == {made.id, "abc"}
    assert tracked.arrays("abc")["rows"].tolist() == [5, 8]


def test_runs_without_predictions_have_no_views(store):
    made = run(store)
    store.arrays_path(made.id).unlink()
    put_hard_pairs(store, "abc", [5])
    assert records_in([store.folder.parent]) == [made]


@pytest.mark.parametrize("metric", ["test/accuracy@hardd", "dev/accuracy@hard"])
def test_a_misspelt_view_names_the_file(tmp_path, metric):
    path = tmp_path / "table.yaml"
    text = (shipped_folder("reproduce") / "dam/table8.yaml").read_text()
    path.write_text(text.replace("test/accuracy@hard", metric, 1))
    with pytest.raises(SettingsError, match=r"table.yaml:\d+: columns.snli.metric: .* Did you mean test/accuracy@hard"):
        read_table(path, "x")
