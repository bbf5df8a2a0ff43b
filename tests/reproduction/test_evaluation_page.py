"""The report of an evaluation: counts, metrics with intervals, and a row for each label of the file."""

from dataclasses import replace

import numpy as np
import pytest

from attest.inference.evaluation import Evaluation
from attest.inference.gold_labels import parse_gold_labels
from attest.inference.grouping import Grouping
from attest.inference.predictions import Predictions
from attest.reproduction.pages.terminal.evaluation import render_evaluation
from attest.runs.records import Record

CLASSES = ("entailment", "neutral", "contradiction")


@pytest.fixture
def record():
    splits = {"train": {"sha256": "t"}, "test": {"sha256": "s"}}
    return Record(id="r", status="done", settings={}, versions={}, data={"fingerprint": "f", "splits": splits}, seed=1)


def evaluation(labels, numbers, gold, predicted, metrics):
    numbers_N, gold_N, predicted_N = (np.array(values) for values in (numbers, gold, predicted))
    predictions = Predictions([], np.empty((0, 3)), ())
    return Evaluation(6, np.arange(len(gold)), labels, numbers_N, gold_N, predicted_N, predictions, metrics)


def test_labels_of_the_file_beside_predictions(record):
    labels = parse_gold_labels("no=neutral,contradiction", CLASSES)
    result = evaluation(labels, [0, 3, 3, 3], [0, 2, 2, 1], [0, 2, 0, 1], {"accuracy": 75.0, "loss": 0.25})
    assert render_evaluation(result, record, "a.tsv", "other").splitlines() == [
        "a.tsv: 6 examples; 2 without a label do not count",
        "",
        "| metric | value | 95% interval |",
        "| --- | ---: | ---: |",
        "| accuracy (%) | 75.00 | 30.06 to 95.44 |",
        "| loss | 0.2500 | – |",
        "",
        "| label | examples | right (%) | as entailment | as neutral | as contradiction |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        "| entailment | 1 | 100.00 | 1 | 0 | 0 |",
        "| no | 3 | 66.67 | 1 | 1 | 1 |",
    ]


def test_scores_have_no_table_of_labels(record):
    result = evaluation(None, [], [1.0, 2.0, 3.0], [1.0, 2.5, 2.0], {"pearson": 0.6547, "mse": 0.4167})
    text = render_evaluation(result, record, "a.tsv", "other")
    assert "| pearson | 0.6547 |" in text
    assert "| mse | 0.4167 | 0.0000 to " in text
    assert "as " not in text


def test_metrics_for_each_value_of_a_column(record):
    labels = parse_gold_labels(None, CLASSES)
    whole = evaluation(labels, [0, 1, 2], [0, 1, 2], [0, 2, 1], {"accuracy": 33.333, "loss": 0.5})
    parts = {
        "": evaluation(labels, [0], [0], [0], {"accuracy": 100.0, "loss": 0.1}),
        "x": evaluation(labels, [1, 2], [1, 2], [2, 1], {"accuracy": 0.0, "loss": 0.7}),
    }
    grouping = Grouping("genre", {0: "", 1: "x", 2: "x"})
    text = render_evaluation(replace(whole, grouping=grouping, by_value=parts), record, "a.tsv", "other")
    assert text.split("\n\n")[2].splitlines() == [
        "| genre | examples | accuracy (%) | 95% interval | loss |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| – | 1 | 100.00 | 20.65 to 100.00 | 0.1000 |",
        "| x | 2 | 0.00 | 0.00 to 65.76 | 0.7000 |",
        "| all | 3 | 33.33 | 6.15 to 79.23 | 0.5000 |",
    ]


def test_scores_of_single_examples_have_no_intervals(record):
    metrics = {"pearson": 0.0, "spearman": 0.0, "mse": 0.25}
    part = evaluation(None, [], [1.0], [1.5], metrics)
    text = render_evaluation(replace(part, grouping=Grouping("id", {0: "1"}), by_value={"1": part}), record, "a", "b")
    assert "\n| 1 | 1 | 0.0000 | – | 0.0000 | – | 0.2500 | – |\n" in text


def test_many_classes_have_no_columns(record):
    labels = parse_gold_labels(None, [f"c{number}" for number in range(13)])
    text = render_evaluation(evaluation(labels, [4], [4], [4], {}), record, "a.tsv", "other")
    assert text.endswith("| label | examples | right (%) |\n| --- | ---: | ---: |\n| c4 | 1 | 100.00 |")


@pytest.mark.parametrize(
    ("sha256", "line"),
    [
        ("t", "this is the run's own file of train, on which it was trained"),
        ("s", "this is the run's own file of test, whose figures its record holds"),
    ],
)
def test_files_of_the_run_are_recognised(record, sha256, line):
    result = evaluation(None, [], [1.0], [1.0], {})
    assert line in render_evaluation(result, record, "a.tsv", sha256).splitlines()
