"""A finished run on a file: by hand, and as the record of the run has it for its own test set."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attest.errors import DataError
from attest.inference import streams
from attest.inference.evaluation import evaluate, evaluation_of
from attest.inference.gold_labels import parse_gold_labels
from attest.inference.labelled_files import labelled_file
from attest.inference.streams import add_new_words
from attest.training.tasks import Classification, Relatedness

CLASSES = ("entailment", "neutral", "contradiction")


def run_of(task):
    return SimpleNamespace(task=task, settings=SimpleNamespace(dataset=SimpleNamespace(labels=CLASSES)))


def test_accuracy_by_hand_with_a_label_that_stands_for_two():
    """The second example is right, the third wrong, whichever of the two labels is asked for."""
    labels = parse_gold_labels("non-entailment=neutral,contradiction", CLASSES)
    outputs = torch.tensor([[2.0, 0.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0], [0.0, 1.0, 2.0]])
    lines, given = np.array([2, 3, 5, 6]), np.array([0, 3, 3, 1])
    result = evaluation_of(run_of(Classification), labels, 5, lines, given, outputs)
    assert result.metrics["accuracy"] == 50
    assert (result.gold_N.tolist(), result.predicted_N.tolist()) == ([0, 2, 2, 1], [0, 2, 0, 2])
    assert result.predictions.labels == ["entailment", "contradiction", "entailment", "contradiction"]
    assert (result.examples, result.unlabelled) == (5, 1)


def test_scores_by_hand():
    """The predicted grades are 5 and 3, so that the errors are 0 and 1."""
    outputs = torch.tensor([[0.0, 0.0, 0.0, 0.0, 100.0], [0.0] * 5])
    result = evaluation_of(run_of(Relatedness), None, 2, np.array([1, 2]), np.array([5.0, 4.0]), outputs)
    assert result.metrics["mse"] == pytest.approx(0.5)
    assert result.metrics["pearson"] == pytest.approx(1)
    assert result.predicted_N == pytest.approx([5, 3])


def evaluated(run, path):
    file = labelled_file(run, path, None, None, None)
    return evaluate(run, file, add_new_words(run, file).examples, "fp32")


@pytest.mark.parametrize(
    ("overrides", "name"),
    [
        (("experiment=disan/snli", "model=s2t"), "snli/snli_1.0_test.jsonl"),
        (("experiment=psan/snli",), "snli/snli_1.0_test.jsonl"),
        (("experiment=disan/sick", "model=s2t"), "sick/SICK_test_annotated.txt"),
        (("experiment=disan/trec", "model=s2t"), "trec/TREC_10.label"),
    ],
)
def test_figures_are_those_of_the_record(opened, mini_data, overrides, name):
    run = opened(*overrides)
    result = evaluated(run, mini_data / name)
    recorded = {
        key.removeprefix("test/"): value for key, value in run.record.metrics.items() if key.startswith("test/")
    }
    assert {key: recorded[key] for key in result.metrics} == pytest.approx(result.metrics, rel=1e-5)
    assert len(result.lines_N) == run.record.data["splits"]["test"]["used"]


def test_examples_without_a_label_do_not_count(opened, tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "WINDOW", 2)
    run = opened("model=s2t")
    rows = [f"{run.words_by_row[2 + place]}\t{run.words_by_row[9]}\t{{}}\n" for place in range(7)]
    labels = ["neutral", "-", "", "-", "entailment", "neutral", "-"]
    path = tmp_path / "a.tsv"
    path.write_text("sentence1\tsentence2\tgold_label\n" + "".join(map(str.format, rows, labels)))
    result = evaluated(run, path)
    assert (result.examples, result.unlabelled, result.lines_N.tolist()) == (7, 4, [2, 6, 7])
    pairs = [tuple(row.split("\t")[:2]) for row in rows]
    expected = run.predict([pairs[place] for place in (0, 4, 5)])
    assert result.predictions.labels == expected.labels
    np.testing.assert_allclose(result.predictions.probabilities, expected.probabilities, rtol=1e-4)
    path.write_text("sentence1\tsentence2\tgold_label\n" + "".join(row.format("-") for row in rows))
    with pytest.raises(
        DataError, match="a.tsv: none of its 7 examples has a label; name the column of the label with "
    ):
        evaluated(run, path)
