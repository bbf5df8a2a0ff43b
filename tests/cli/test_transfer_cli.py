"""attest transfer, as a user types it."""

import shutil
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from homes import records_of

from attest.inference.authors.names import authors_tensors
from attest.inference.imported import empty_corpus, import_run
from attest.reproduction.tables.metrics import transfer_deviations
from attest.training.assemble import assemble_task

pytestmark = pytest.mark.usefixtures("home_with_corpora")

QUICK = ("folds=2", "jobs=1")


def test_a_baseline_on_some_tasks(home, cli):
    done = cli.run("transfer", "average_max", "tasks=CR,STS14", *QUICK)
    assert done.returncode == 0, done.stderr
    (record,) = records_of(home)
    assert f"CR/test                      {record.metrics['CR/test']:.4g}" in done.stdout
    assert "STS14/pearson/weighted" in done.stdout
    assert "STS14/pearson/OnWN" not in done.stdout
    assert f"run {record.id}" in done.stdout
    assert "of 3,775 examples" not in done.stdout
    assert "CR: test " in done.stderr
    built_in = "built-in corpora in the form of CR, STS14"
    vectors = "word vectors glove/glove.mini_sentences.24d.txt"
    assert done.stderr.startswith(f"average_max: scale=mini, {built_in}, {vectors}\n")
    end = "; scale=mini: figures on built-in corpora say nothing about SentEval's; scale=paper reads its files\n"
    assert done.stdout.endswith(end)
    shown = cli.output("show", record.id)
    assert shown.startswith(f"{record.id}: transfer, scale=mini, done ")
    assert f"  corpus      {built_in}\n  CR/all      800 examples\n" in shown
    assert "of 3,775" not in shown
    assert record.settings["encoder"] == "average_max glove.mini_sentences.24d.txt"
    assert record.curve[0]["width"] == 48
    assert cli.output("transfer", "average_max", "tasks=[CR,STS14]", *QUICK) == done.stdout
    assert records_of(home) == [record]


def test_the_other_classifier_and_a_folder_of_ones_own(home, mini_data, cli):
    chosen = ["classifier=torch", "classifier.hidden=3", "classifier.max_epochs=4", "vectors.size=24"]
    places = ["scale=paper", f"paths.data={mini_data}", "vectors.file=glove/glove.mini_sentences.24d.txt"]
    done = cli.run("transfer", "average", "tasks=CR", *QUICK, *chosen, *places)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith(f"average: scale=paper, CR in {mini_data}, word vectors glove/glove.mini_sent")
    assert "CR/all has 800 of 3,775 examples" in done.stdout
    assert "CR: 18 of 18 fits ended at the limit of steps before they converged" in done.stdout
    assert done.stdout.endswith(" s\n")
    (record,) = records_of(home, "local")
    shown = cli.output("show", record.id)
    assert shown.startswith(f"{record.id}: transfer, scale=paper, done ")
    assert "  CR/all      800 examples of 3,775\n" in shown
    assert "built-in" not in shown
    assert record.settings["classifier.hidden"] == 3


def test_averages_need_a_file_of_word_vectors(home, cli):
    error = cli.error("transfer", "average", "tasks=CR", "vectors.file=none")
    assert "vectors.file=none: average needs a file; choose one, e.g. vectors=glove_6b" in error


def test_the_encoder_of_a_run(home, mini_data, finished, cli):
    trained = finished("model=s2t")
    done = cli.run("transfer", trained.id[:8], "tasks=CR,STS14", f"paths.data={mini_data}", *QUICK)
    assert done.returncode == 0, done.stderr
    record = next(one for one in records_of(home) if one.kind == "transfer")
    assert record.parents == (trained.id,)
    assert record.settings["encoder"] == "SourceToToken seed=1, snli"
    assert record.curve[0]["width"] == 24
    folder = next(home.rglob(f"{trained.id}/model.safetensors")).parent.rename(home / "elsewhere")
    printed = cli.output("transfer", str(folder), "tasks=CR,STS14", f"paths.data={mini_data}", *QUICK)
    assert f"run {record.id}" in printed
    folder.rename(home / "runs" / trained.id)
    assert done.stderr.startswith(f"{trained.id[:8]}: scale=mini, CR, STS14 in {mini_data}\n")
    assert f"run {record.id}" in done.stdout
    cli.output("transfer", trained.id, "tasks=CR", f"paths.data={mini_data}", *QUICK, "precision=bf16")
    (half,) = (one for one in records_of(home) if one.kind == "transfer" and one.id != record.id)
    assert half.data["encoder"] == f"{trained.id}, bf16"
    assert transfer_deviations(half)[0] == "sentences of transfer encoded in bf16 instead of fp32"
    assert "precision" not in record.data
    error = cli.error("transfer", "average", "tasks=CR", *QUICK, "precision=bf16")
    assert "precision=bf16: only the encoder of a run has a precision to choose" in error


def test_an_imported_run_with_another_file_of_word_vectors_is_evaluated_anew(
    home, mini_data, settings_with, tmp_path, cli
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
    first, other, again = [
        cli.output("transfer", imported.id, "tasks=STS14", f"paths.data={data}", *QUICK)
        for data in (mini_data, other_data, mini_data)
    ]
    assert first == again != other
    both = [record for record in records_of(home) if record.kind == "transfer"]
    assert len({record.metrics["STS14/pearson/weighted"] for record in both}) == len(both) == 2
    assert {record.data["vectors"]["rows"] for record in both} == {len(lines)}
    assert {record.parents for record in both} == {(imported.id,)}


def test_a_run_on_the_trees_of_its_data_is_given_a_parser_for_other_sentences(mini_data, home, finished, cli):
    run, learner = finished("experiment=psan/snli"), finished("experiment=psan/snli", "phrases=balanced")
    command = ["tasks=STS14", f"paths.data={mini_data}", *QUICK]
    for words, message in (
        ([run.id], "or add phrases=learned to `attest transfer` to use a parser"),
        ([learner.id, "phrases=right"], "trained on the trees of a parser, balanced"),
        (["average", "phrases=right"], "no use for phra"),
        ([run.id, "phrases=corpus"], "phrases: nothing to parse with"),
    ):
        done = cli.run("transfer", *words, *command)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    for parser in ("right", "balanced"):
        cli.output("transfer", run.id, *command, f"phrases={parser}")
    found = {one.data["parser"]["identity"]: one for one in records_of(home) if one.kind == "transfer"}
    assert {one.data["encoder"] for one in found.values()} == {f"{run.id}, {identity}" for identity in found}
    assert len({one.metrics["STS14/pearson/weighted"] for one in found.values()}) == len(found) == 2
    (first, *_) = found.values()
    assert first.parents == (run.id,)
    assert transfer_deviations(first)[0] == f"sentences of transfer parsed by: {first.data['parser']['identity']}"


def test_what_is_published_is_on_the_page(home, mini_data, cli):
    places = ["scale=paper", f"paths.data={mini_data}", "vectors.file=glove/glove.mini_sentences.24d.txt"]
    cli.output("transfer", "average", "tasks=STS14", *QUICK, "vectors.size=24", *places)
    (record,) = records_of(home, "local")
    cli.output("publish", "transfer")
    page = (home / "results/transfer.md").read_text(encoding="utf-8")
    assert f"| `{record.id}` |" in page
    assert "- All: word vectors for 117 of " in page
    cli.output("collate", "--check")


def stand_in(monkeypatch, encode):
    class Model:
        def __init__(self, name): ...

        def encode(self, sentences, **options):
            return np.array([encode(sentence) for sentence in sentences])

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Model))


def test_what_failed_is_recorded_and_goes_on_where_it_failed(home, monkeypatch, cli):
    command = ["transfer", "sentence-transformers:some/model", "tasks=STS14,CR", *QUICK]
    stand_in(monkeypatch, lambda sentence: [np.nan if "waits" in sentence.split() else len(sentence), 1.0])
    done = cli.run(*command)
    assert done.returncode == 1
    assert "the encoder returned numbers that are not finite for " in done.stderr
    (failed,) = records_of(home)
    assert failed.status == "failed"
    assert "CR/test" in failed.metrics
    assert "STS14/pearson/weighted" not in failed.metrics
    assert failed.reason.startswith("the encoder returned numbers that are not finite for ")
    stand_in(monkeypatch, lambda sentence: [len(sentence), 1.0])
    cli.output(*command)
    (record,) = records_of(home)
    assert (record.id, record.status, record.error) == (failed.id, "done", None)
    assert record.metrics["CR/test"] == failed.metrics["CR/test"]


def test_a_record_is_mirrored_once(home, cli):
    command = ["transfer", "average", "tasks=STS14", *QUICK]
    cli.output(*command, "logger=none")
    assert not (home / "runs/wandb").exists()
    for _ in range(2):
        cli.output(*command, "folds=3")
    (folder,) = (home / "runs/wandb").glob("offline-run-*")
    assert folder.name.rpartition("-")[2] in {record.id for record in records_of(home)}


def test_a_model_of_sentence_transformers(home, monkeypatch, cli):
    stand_in(monkeypatch, lambda sentence: [len(sentence), sentence.count(" ")])
    cli.output("transfer", "sentence-transformers:some/model", "tasks=STS14")
    assert [record.settings["encoder"] for record in records_of(home)] == ["some/model"]


def test_cfg_prints_the_settings(home, cli):
    printed = yaml.safe_load(cli.output("transfer", "average", "--cfg", "tasks=CR", "classifier=torch"))
    assert (printed["tasks"], printed["classifier"]["kind"], printed["scale"]) == (["CR"], "torch", "mini")
    assert records_of(home) == []


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["average", "tasks=CRR"], 2, "tasks: unknown task 'CRR'. Did you mean CR?"),
        (["average", "--cfg", "tasks=CRR"], 2, "tasks: unknown task 'CRR'. Did you mean CR?"),
        (["average", "seed=1,2"], 2, "seed=1,2: several values; type this command once for each of them, and a list"),
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
        (["0123456789ab"], 1, "0123456789ab: no run has this id"),
        (["averge"], 1, "type an id that `attest runs` lists. Did you mean average?"),
        (
            ["0123456789ab", "phrases=right", "phrases.levels=1"],
            2,
            "phrases.levels: a run divides trees as it was trained",
        ),
        (["0123456789ab", "vectors=glove_6b"], 2, "vectors=glove_6b: a run has word vectors of its own"),
    ],
)
def test_mistakes_are_one_sentence_and_a_code(arguments, code, message, cli):
    assert message in cli.error("transfer", *arguments, code=code)


def test_without_scikit_learn_it_says_what_to_install(monkeypatch, cli):
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert "pip install 'attest[transfer]'" in cli.error("transfer", "average", "tasks=CR", *QUICK)
