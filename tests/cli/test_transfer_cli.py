"""attest transfer, as a user types it."""

import shutil
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from attest.cli import main
from attest.inference.authors.names import authors_tensors
from attest.inference.imported import empty_corpus, import_run
from attest.reproduction.tables.metrics import transfer_deviations
from attest.runs.store import Store
from attest.training import run as training
from attest.training.assemble import assemble_task

pytestmark = pytest.mark.usefixtures("quiet_home")

QUICK = ("folds=2", "jobs=1")


def records(home):
    return list(Store(home / "results/mini/records"))


def test_a_baseline_on_some_tasks(home, capsys):
    assert main(["transfer", "average_max", "tasks=CR,STS14", *QUICK]) == 0
    captured = capsys.readouterr()
    (record,) = records(home)
    assert f"CR/test                      {record.metrics['CR/test']:.4g}" in captured.out
    assert "STS14/pearson/weighted" in captured.out
    assert "STS14/pearson/OnWN" not in captured.out
    assert f"run {record.id}" in captured.out
    assert "of 3,775 examples" not in captured.out
    assert "CR: test " in captured.err
    built_in = "built-in corpora in the form of CR, STS14"
    vectors = "word vectors glove/glove.mini_sentences.24d.txt"
    assert captured.err.startswith(f"average_max: scale=mini, {built_in}, {vectors}\n")
    end = "; scale=mini: figures on built-in corpora say nothing about SentEval's; scale=paper reads its files\n"
    assert captured.out.endswith(end)
    assert main(["show", record.id]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"{record.id}: transfer, scale=mini, done ")
    assert f"  corpus      {built_in}\n  CR/all      800 examples\n" in shown
    assert "of 3,775" not in shown
    assert record.settings["encoder"] == "average_max glove.mini_sentences.24d.txt"
    assert record.curve[0]["width"] == 48
    assert main(["transfer", "average_max", "tasks=[CR,STS14]", *QUICK]) == 0
    assert capsys.readouterr().out == captured.out
    assert records(home) == [record]


def test_the_other_classifier_and_a_folder_of_ones_own(home, mini_data, capsys):
    chosen = ["classifier=torch", "classifier.hidden=3", "classifier.max_epochs=4", "vectors.size=24"]
    places = ["scale=paper", f"paths.data={mini_data}", "vectors.file=glove/glove.mini_sentences.24d.txt"]
    assert main(["transfer", "average", "tasks=CR", *QUICK, *chosen, *places]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith(f"average: scale=paper, CR in {mini_data}, word vectors glove/glove.mini_sent")
    assert "CR/all has 800 of 3,775 examples" in captured.out
    assert "CR: 18 of 18 fits ended at the limit of steps before they converged" in captured.out
    assert captured.out.endswith(" s\n")
    (record,) = Store(home / "results/local/records")
    assert main(["show", record.id]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"{record.id}: transfer, scale=paper, done ")
    assert "  CR/all      800 examples of 3,775\n" in shown
    assert "built-in" not in shown
    assert record.settings["classifier.hidden"] == 3


def test_averages_need_a_file_of_word_vectors(home, capsys):
    assert main(["transfer", "average", "tasks=CR", "vectors.file=none"]) == 2
    assert "vectors.file=none: average needs a file; choose one, e.g. vectors=glove_6b" in capsys.readouterr().err


def test_the_encoder_of_a_run(home, mini_data, settings_with, capsys):
    trained = training.run(settings_with("model=s2t", "protocol.steps=4", "protocol.evaluate_every=4"))
    assert main(["transfer", trained.id[:8], "tasks=CR,STS14", f"paths.data={mini_data}", *QUICK]) == 0
    captured = capsys.readouterr()
    record = next(one for one in records(home) if one.kind == "transfer")
    assert record.parents == (trained.id,)
    assert record.settings["encoder"] == "SourceToToken seed=1, snli"
    assert record.curve[0]["width"] == 24
    folder = next(home.rglob(f"{trained.id}/model.safetensors")).parent.rename(home / "elsewhere")
    assert main(["transfer", str(folder), "tasks=CR,STS14", f"paths.data={mini_data}", *QUICK]) == 0
    assert f"run {record.id}" in capsys.readouterr().out
    folder.rename(home / "runs" / trained.id)
    assert captured.err.startswith(f"{trained.id[:8]}: scale=mini, CR, STS14 in {mini_data}\n")
    assert f"run {record.id}" in captured.out
    assert main(["transfer", trained.id, "tasks=CR", f"paths.data={mini_data}", *QUICK, "precision=bf16"]) == 0
    (half,) = (one for one in records(home) if one.kind == "transfer" and one.id != record.id)
    assert half.data["encoder"] == f"{trained.id}, bf16"
    assert transfer_deviations(half)[0] == "sentences of transfer encoded in bf16 instead of fp32"
    assert "precision" not in record.data
    assert main(["transfer", "average", "tasks=CR", *QUICK, "precision=bf16"]) == 2
    assert "precision=bf16: only the encoder of a run has a precision to choose" in capsys.readouterr().err


def test_an_imported_run_with_another_file_of_word_vectors_is_evaluated_anew(
    home, mini_data, settings_with, tmp_path, capsys
):
    settings = settings_with("experiment=disan/trec")
    task = assemble_task(settings, empty_corpus(["", ""], settings.vectors.size))
    np.savez(tmp_path / "weights.npz", **{name: x.numpy() for name, x in authors_tensors(task, ["", ""]).items()})
    imported = import_run(tmp_path / "weights.npz", None, settings)
    other_data = tmp_path / "data"
    shutil.copytree(mini_data, other_data)
    vectors = other_data / settings.vectors.file
    lines = [line.split() for line in vectors.read_text().splitlines()]
    vectors.write_text("".join(f"{word} {' '.join(reversed(numbers))}\n" for word, *numbers in lines))
    evaluations = []
    for data in (mini_data, other_data, mini_data):
        assert main(["transfer", imported.id, "tasks=STS14", f"paths.data={data}", *QUICK]) == 0
        evaluations.append(capsys.readouterr().out)
    first, other, again = evaluations
    assert first == again != other
    both = [record for record in records(home) if record.kind == "transfer"]
    assert len({record.metrics["STS14/pearson/weighted"] for record in both}) == len(both) == 2
    assert {record.data["vectors"]["rows"] for record in both} == {len(lines)}
    assert {record.parents for record in both} == {(imported.id,)}


def test_a_run_on_the_trees_of_its_data_is_given_a_parser_for_other_sentences(mini_data, home, settings_with, capsys):
    quick = ("experiment=psan/snli", "protocol.steps=2", "protocol.evaluate_every=2")
    run, learner = training.run(settings_with(*quick)), training.run(settings_with(*quick, "phrases=balanced"))
    command = ["tasks=STS14", f"paths.data={mini_data}", *QUICK]
    assert main(["transfer", run.id, *command]) == 2
    assert "or add phrases=learned to `attest transfer` to use a parser" in capsys.readouterr().err
    for parser in ("right", "balanced"):
        assert main(["transfer", run.id, *command, f"phrases={parser}"]) == 0
    found = {one.data["parser"]["identity"]: one for one in records(home) if one.kind == "transfer"}
    assert {one.data["encoder"] for one in found.values()} == {f"{run.id}, {identity}" for identity in found}
    assert len({one.metrics["STS14/pearson/weighted"] for one in found.values()}) == len(found) == 2
    (first, *_) = found.values()
    assert first.parents == (run.id,)
    assert transfer_deviations(first)[0] == f"sentences of transfer parsed by: {first.data['parser']['identity']}"
    for other, message in (
        (learner.id, "trained on the trees of a parser, balanced"),
        ("average", "no use for phra"),
    ):
        assert main(["transfer", other, *command, "phrases=right"]) == 2
        assert message in capsys.readouterr().err
    assert main(["transfer", run.id, *command, "phrases=corpus"]) == 2
    assert "phrases: nothing to parse with" in capsys.readouterr().err


def test_what_is_published_is_on_the_page(home, mini_data, capsys):
    places = ["scale=paper", f"paths.data={mini_data}", "vectors.file=glove/glove.mini_sentences.24d.txt"]
    assert main(["transfer", "average", "tasks=STS14", *QUICK, "vectors.size=24", *places]) == 0
    (record,) = Store(home / "results/local/records")
    assert main(["publish", "transfer"]) == 0
    page = (home / "results/transfer.md").read_text(encoding="utf-8")
    assert f"| `{record.id}` |" in page
    assert "- All: word vectors for 117 of " in page
    assert main(["collate", "--check"]) == 0


def stand_in(monkeypatch, encode):
    class Model:
        def __init__(self, name): ...

        def encode(self, sentences, **options):
            return np.array([encode(sentence) for sentence in sentences])

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Model))


def test_what_failed_is_recorded_and_goes_on_where_it_failed(home, monkeypatch, capsys):
    command = ["transfer", "sentence-transformers:some/model", "tasks=STS14,CR", *QUICK]
    stand_in(monkeypatch, lambda sentence: [np.nan if "waits" in sentence.split() else len(sentence), 1.0])
    assert main(command) == 1
    assert "the encoder returned numbers that are not finite for " in capsys.readouterr().err
    (failed,) = records(home)
    assert failed.status == "failed"
    assert "CR/test" in failed.metrics
    assert "STS14/pearson/weighted" not in failed.metrics
    assert failed.reason.startswith("the encoder returned numbers that are not finite for ")
    stand_in(monkeypatch, lambda sentence: [len(sentence), 1.0])
    assert main(command) == 0
    (record,) = records(home)
    assert (record.id, record.status, record.error) == (failed.id, "done", None)
    assert record.metrics["CR/test"] == failed.metrics["CR/test"]


def test_a_record_is_mirrored_once(home):
    command = ["transfer", "average", "tasks=STS14", *QUICK]
    assert main([*command, "logger=none"]) == 0
    assert not (home / "runs/wandb").exists()
    assert main([*command, "folds=3"]) == main([*command, "folds=3"]) == 0
    (folder,) = (home / "runs/wandb").glob("offline-run-*")
    assert folder.name.rpartition("-")[2] in {record.id for record in records(home)}


def test_a_model_of_sentence_transformers(home, monkeypatch):
    stand_in(monkeypatch, lambda sentence: [len(sentence), sentence.count(" ")])
    assert main(["transfer", "sentence-transformers:some/model", "tasks=STS14"]) == 0
    assert [record.settings["encoder"] for record in records(home)] == ["some/model"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["average", "tasks=CRR"], 2, "tasks: unknown task 'CRR'. Did you mean CR?"),
        (["average", "taks=CR"], 2, "taks: unknown setting. Did you mean tasks?"),
        (
            ["average", "model=disan"],
            2,
            "model: attest transfer accepts only these settings: batch_size, classifier.*,",
        ),
        (["average", "paths.dta=x"], 2, "Did you mean paths.data?"),
        (["average", "classifier=trch"], 2, "classifier=trch: no such choice. Did you mean torch?"),
        (["average", "classifier.hidden=5"], 2, "classifier.hidden: no setting of the classifier chosen here"),
        (["average", "folds=many"], 2, "folds: expected a whole number, got 'many'"),
        (
            ["average", "scale=paper", "paths.data=/nowhere"],
            1,
            "neither rt-polarity.neg nor rt-polarity.neg.xz is there",
        ),
        (["0123456789ab"], 1, "0123456789ab: there is no record of such a run"),
        (["averge"], 1, "attest runs` lists runs. Did you mean average?"),
        (
            ["0123456789ab", "phrases=right", "phrases.levels=1"],
            2,
            "phrases.levels: a run divides trees as it was trained",
        ),
        (["0123456789ab", "vectors=glove_6b"], 2, "vectors=glove_6b: a run has word vectors of its own"),
    ],
)
def test_mistakes_are_one_sentence_and_a_code(arguments, code, message, capsys):
    assert main(["transfer", *arguments]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_without_scikit_learn_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert main(["transfer", "average", "tasks=CR", *QUICK]) == 2
    assert "pip install 'attest[transfer]'" in capsys.readouterr().err
