"""All tasks on the built-in corpora, the record of an evaluation, and going on where one was interrupted."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from attest.config.schema import from_plain
from attest.config.settings import Paths
from attest.errors import BusyError, EncodingError, SettingsError
from attest.runs.store import Store
from attest.system.leases import lease
from attest.transfer import TASKS, Outcome, Sklearn, Torch, Transfer, evaluate, figures
from attest.transfer.classifiers import LabelledVectors
from attest.transfer.evaluate import evaluate_tasks
from attest.transfer.run import EvaluatedEncoder, run
from attest.transfer.task_data import SplitExamples, TaskExamples, read_tasks

QUICK = Transfer(folds=2, jobs=1)
WORDS = 60


def bags(sentences):
    """Which words there are: each word at a place of its own."""
    vectors = np.zeros((len(sentences), WORDS), np.float32)
    for row, sentence in enumerate(sentences):
        for word in sentence.lower().split():
            vectors[row, sum(word.encode()) * 7 % WORDS] += 1
    return vectors


@pytest.fixture
def paths(home):
    places = ("home", "data", "cache", "runs", "results", "wandb", "hydra")
    return Paths(**{name: str(home / name) for name in places})


def test_eleven_tasks_and_their_averages(mini_data, monkeypatch):
    monkeypatch.setattr("attest.transfer.relatedness.MAX_EPOCHS", 100)
    told = []
    outcomes = evaluate(lambda s: told.append(s) or bags(s), list(TASKS), mini_data, QUICK)
    assert list(outcomes) == list(TASKS)
    sentences = [sentence for batch in told for sentence in batch]
    assert len(sentences) == len(set(sentences))
    assert "" in sentences
    metrics = figures(outcomes)
    for name, task in TASKS.items():
        if task.design not in ("relatedness", "similarity"):
            assert 50 < metrics[f"{name}/test"] <= 100, name
            assert 50 < metrics[f"{name}/dev"] <= 100, name
        assert outcomes[name].seconds > 0
        assert outcomes[name].width == WORDS
    assert metrics["SUBJ/test"] > 95
    assert 0.5 < metrics["SICK-R/pearson"] < 1
    assert metrics["SICK-R/mse"] < 1
    assert 0.2 < metrics["STS14/pearson/weighted"] < 1
    assert 60 < metrics["MRPC/f1"] <= 100
    eight = [name for name in TASKS if name not in ("SST5", "SICK-R", "STS14")]
    assert metrics["macro/test"] == pytest.approx(np.mean([metrics[f"{name}/test"] for name in eight]))
    weights = [outcomes[name].weight for name in eight]
    assert weights == [800, 800, 800, 800, 300, 1500, 600, 300]
    assert metrics["micro/dev"] == pytest.approx(
        np.average([metrics[f"{name}/dev"] for name in eight], weights=weights)
    )
    assert len(outcomes["MR"].strengths) == 2
    assert len(outcomes["TREC"].strengths) == 1


def test_some_tasks_have_no_average(mini_data):
    assert sorted(figures(evaluate(bags, ["CR"], mini_data, QUICK))) == ["CR/dev", "CR/test"]


def test_the_other_classifier(mini_data):
    settings = Transfer(classifier=Torch(hidden=3, max_epochs=8), folds=2, jobs=1)
    outcome = evaluate(bags, ["SICK-E"], mini_data, settings)["SICK-E"]
    assert outcome.strengths[0] in (1e-5, 1e-4, 1e-3, 1e-2)
    assert outcome.cut_off == 5
    assert outcome.metrics["test"] > 50


def test_an_evaluation_leaves_a_record(mini_data, paths):
    sets = read_tasks(["STS14", "TREC"], mini_data)
    encoder = EvaluatedEncoder("bags", "bags-1", bags, parents=("abc",))
    record = run(encoder, sets, QUICK, paths)
    assert list(Store(Path(paths.records))) == [record]
    assert (record.kind, record.status, record.parents, record.seed) == ("transfer", "done", ("abc",), 1111)
    assert record.settings == {
        "encoder": "bags", "tasks": ["TREC", "STS14"], "classifier.kind": "sklearn", "classifier.solver": "lbfgs",
        "folds": 2, "seed": 1111,
    }  # fmt: skip
    assert {"TREC/test", "TREC/dev", "STS14/pearson/weighted", "STS14/spearman/OnWN"} <= set(record.metrics)
    assert record.data["splits"]["TREC/train"] == {"used": 1500}
    assert record.data["expected"]["splits"]["TREC/train"] == 5452
    assert [row["task"] for row in record.curve] == ["TREC", "STS14"]
    assert all(row["seconds"] > 0 for row in record.curve)


def test_the_order_of_the_tasks_does_not_matter(mini_data, paths):
    encoder = EvaluatedEncoder("bags", "bags-1", bags)
    ids = {run(encoder, read_tasks(names, mini_data), QUICK, paths).id for names in (["STS14", "CR"], ["CR", "STS14"])}
    assert len(ids) == len(list(Store(Path(paths.records)))) == 1


def test_what_is_finished_is_not_repeated(mini_data, paths):
    sets = read_tasks(["STS14", "SST5"], mini_data)
    asked = []

    def breaks(sentences):
        asked.append(sentences)
        if any("waits" in sentence.split() for sentence in sentences):
            raise KeyboardInterrupt
        return bags(sentences)

    with pytest.raises(KeyboardInterrupt):
        run(EvaluatedEncoder("bags", "bags-1", breaks), sets, QUICK, paths)
    assert not list(Store(Path(paths.records)))
    asked.clear()
    finished = []
    encoder = EvaluatedEncoder("bags", "bags-1", lambda s: asked.extend(s) or bags(s))
    record = run(encoder, sets, QUICK, paths, on_outcome=finished.append)
    known = set(sets["SST5"].sentences())
    assert asked
    assert not known & set(asked)
    assert [outcome.task for outcome in finished] == ["SST5", "STS14"]

    def never(sentences):
        raise AssertionError

    assert run(EvaluatedEncoder("bags", "bags-1", never), sets, QUICK, paths) == record
    # Fewer tasks are another evaluation, of which everything is there.
    fewer = run(EvaluatedEncoder("bags", "bags-1", never), {"SST5": sets["SST5"]}, QUICK, paths)
    assert fewer.id != record.id
    assert fewer.metrics["SST5/test"] == record.metrics["SST5/test"]


def test_what_changes_a_figure_is_another_evaluation(mini_data, paths):
    sets = read_tasks(["STS14"], mini_data)
    encoder = EvaluatedEncoder("bags", "bags-1", bags)
    first = run(encoder, sets, QUICK, paths).id
    others = [
        run(encoder, sets, Transfer(folds=3, jobs=1), paths).id,
        run(encoder, sets, Transfer(folds=2, classifier=Sklearn(solver="liblinear")), paths).id,
        run(encoder, sets, Transfer(folds=2, seed=1), paths).id,
        run(EvaluatedEncoder("bags", "bags-2", bags), sets, QUICK, paths).id,
    ]
    assert len({first, *others}) == 5
    assert run(encoder, sets, Transfer(folds=2, jobs=3, batch_size=7), paths).id == first


def test_a_kept_outcome_that_cannot_be_read_is_made_again(mini_data, tmp_path):
    def once():
        return evaluate(bags, ["STS14"], mini_data, QUICK, identity="b", cache=tmp_path)["STS14"]

    first = once()
    (path,) = (tmp_path / "transfer").glob("STS14-*.json")
    assert json.loads(path.read_text())["metrics"] == first.metrics
    assert once() == first
    path.write_text("{")
    assert once().metrics == first.metrics


def test_of_two_evaluations_of_an_encoder_one_makes_the_task_of_both(mini_data, tmp_path):
    begun, go = Event(), Event()

    def slow(sentences):
        begun.set()
        assert go.wait(60)
        return bags(sentences)

    def never(sentences):
        raise AssertionError

    def make(pool, encode, *tasks):
        return pool.submit(evaluate, encode, tasks, mini_data, QUICK, identity="b", cache=tmp_path)

    with ThreadPoolExecutor(2) as pool:
        first = make(pool, slow, "STS14")
        assert begun.wait(60)
        second = make(pool, never, "STS14")
        with pytest.raises(TimeoutError):
            second.result(1)
        go.set()
        assert second.result(60)["STS14"] == first.result(60)["STS14"]


def test_two_processes_do_not_make_the_same_evaluation(mini_data, paths):
    sets = read_tasks(["STS14"], mini_data)
    encoder = EvaluatedEncoder("bags", "bags-1", bags)
    identity = run(encoder, sets, QUICK, paths).id
    with lease(Path(paths.runs) / identity / "lease.json"), pytest.raises(BusyError):
        run(encoder, sets, QUICK, paths)


def test_weights_are_of_what_chose():
    shared = {"task": "X", "metrics": {}, "expected": {}, "fingerprint": "", "width": 1}
    assert Outcome(examples={"train": 5, "dev": 2, "test": 3}, **shared).weight == 2
    assert Outcome(examples={"train": 5, "test": 3}, **shared).weight == 5
    assert Outcome(examples={"all": 9}, **shared).weight == 9


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"classifier": {"kind": "sclearn"}}, "'sclearn' is not one of sklearn, torch. Did you mean sklearn?"),
        ({"classifier": {"hidden": 5}}, r"classifier.hidden: unknown setting"),
        ({"classifier": {"kind": "torch", "hidden": -1}}, r"classifier.hidden: -1 is out of range"),
        ({"fold": 3}, "fold: unknown setting. Did you mean folds?"),
        ({"folds": 1}, r"folds: 1 is out of range"),
        ({"jobs": 0}, r"jobs: 0 is out of range"),
    ],
)
def test_settings_that_there_are_not(data, message):
    with pytest.raises(SettingsError, match=message):
        from_plain(Transfer, data)


def test_settings_that_there_are():
    assert from_plain(Transfer, {}) == Transfer()
    chosen = from_plain(Transfer, {"classifier": {"kind": "torch", "hidden": 50}, "folds": 5})
    assert chosen == Transfer(classifier=Torch(hidden=50), folds=5)


@pytest.mark.parametrize("classifier", [Sklearn(), Torch()])
def test_a_class_too_rare_for_the_folds_names_the_task(classifier):
    samples = SplitExamples(([f"word {number}" for number in range(29)],), np.array([0] * 27 + [1] * 2))
    sets = {"CR": TaskExamples({"all": samples}, 2, "fingerprint", {})}
    with pytest.raises(SettingsError, match="tasks: a training set of CR holds .*, or leave CR out of tasks"):
        evaluate_tasks(bags, sets, Transfer(classifier=classifier, folds=5, jobs=1))


def test_vectors_whose_products_are_infinite_are_refused(mini_data):
    large = np.float32(1e25)
    with pytest.raises(EncodingError, match=r"numbers up to \S+e\+25, whose products are infinite; scale the vectors"):
        evaluate(lambda sentences: bags(sentences) * large, ["MRPC"], mini_data, QUICK)


def test_a_network_stops_early_on_few_examples():
    """A twentieth of 19 examples is none, with which no epoch would count as better than the first."""
    rng = np.random.RandomState(0)
    y_N = np.arange(19) % 2
    x_NW = (rng.randn(19, 4) + 8 * y_N[:, None]).astype(np.float32)
    result = Torch(epoch_size=50, max_epochs=50).predictions(1e-5, LabelledVectors(x_NW, y_N), None, x_NW, 2, seed=1)
    assert (result.classes_N == y_N).mean() > 0.8
