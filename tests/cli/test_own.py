"""From an empty folder to a row in a table, with code, settings and data of the user's own."""

import csv

import pytest
from commands import run
from homes import records_of
from write_file import write_file

from attest.reproduction import collate as pages

QUICK = ("protocol.steps=4", "protocol.evaluate_every=4", "logger=none", "trainer.progress=false")


@pytest.fixture
def in_empty_folder(home_with_corpora, tmp_path):
    """A function that runs a command in a process of its own, in an empty folder."""
    (tmp_path / "empty").mkdir()
    return lambda *words, **variables: run(*words, cwd=tmp_path / "empty", **variables)


def rows_of(path):
    with path.open(newline="") as file:
        return {row["Model"]: row["Test (%)"] for row in csv.DictReader(file)}


def test_an_encoder_of_the_users_own_is_a_row_of_a_table(in_empty_folder, home, tmp_path):
    folder = tmp_path / "empty"
    assert in_empty_folder("new", "encoder", "mine").returncode == 0
    lines = [path.read_text().splitlines() for path in (folder / "mine.py", folder / "conf/model/mine.yaml")]
    assert sum(map(len, lines)) < 40
    done = in_empty_folder("reproduce", "--config-dir", ".", "disan/table2", "with=model=mine", *QUICK)
    assert done.returncode == 0, done.stderr
    (record,) = records_of(home)
    assert (record.label.table, record.label.row) == ("disan/table2", "model=mine")
    assert record.settings["model._target_"] == "mine.Mine"
    rows = rows_of(home / "results/mini/disan/table2.csv")
    assert float(rows["`model=mine`"]) == pytest.approx(record.metrics["test/accuracy"], abs=0.01)
    assert rows["DiSAN"] == "–"
    assert "| `model=mine` |" in done.stdout
    shown = in_empty_folder("show", "disan/table2", "with=model=mine", "scale=mini", ATTEST_PATH=".")
    command = f"attest train --config-dir {folder} experiment=disan/sst model=mine scale=mini seed=1"
    assert f"run {record.id}  {command}" in shown.stdout
    assert in_empty_folder("show", record.id).returncode == 0
    judged = in_empty_folder("transfer", "-cd", ".", record.id, "tasks=CR", "folds=2", "jobs=1", "logger=none")
    assert (judged.returncode, "CR/test" in judged.stdout) == (0, True), judged.stderr
    trusted = in_empty_folder(
        "transfer", record.id, "packages=[attest,torch.optim,mine]", "tasks=CR", "folds=2", "jobs=1", "logger=none"
    )
    assert "cannot import mine: there is no module mine" in trusted.stderr
    assert (
        "by the variable ATTEST_PATH or, in a command, by --config-dir FOLDER"
        in in_empty_folder("transfer", record.id, "tasks=CR").stderr
    )


def test_a_data_set_of_the_users_own_is_trained_on_and_swept(in_empty_folder, home, tmp_path):
    folder = tmp_path / "empty"
    assert in_empty_folder("new", "dataset", "mine", ATTEST_PATH=".").returncode == 0
    assert len((folder / "conf/dataset/mine.yaml").read_text().splitlines()) < 15
    done = in_empty_folder("train", "-m", "model=s2t", "dataset=mine", "seed=1,2", *QUICK, ATTEST_PATH=".")
    assert done.returncode == 0, done.stderr
    assert f"mine in {folder / 'data'}" in done.stderr
    records = records_of(home)
    assert {record.settings["dataset.name"] for record in records} == {"mine"}
    assert records[0].data["expected"]["splits"] == {}
    (folder / "a.txt").write_text("The soup .\n")
    opened = in_empty_folder("encode", records[0].id, "a.txt", "--to", "a.npy")
    assert opened.returncode == 0, opened.stderr
    listed = in_empty_folder("data", "list", "mine", ATTEST_PATH=".")
    assert listed.stdout.splitlines()[2:] == [
        "mine: here", "  licence  CC0 1.0", "  file     mine/train.tsv", "  file     mine/test.tsv", "",
    ]  # fmt: skip


def test_a_data_set_with_the_name_of_word_vectors_is_listed_and_verified_beside_them(home, own_folder, cli):
    text = "format: tsv\nfiles: {train: own/a.tsv}\ncolumns: {sentence: a, label: b}\nlabels: [x, y]\n"
    write_file(own_folder / "conf/dataset/glove_6b.yaml", f"name: glove_6b\n{text}")
    lines = cli.output("data", "list", "glove_6b").splitlines()
    assert [line for line in lines if line.startswith("  file")] == [
        "  file     own/a.tsv   (missing)", "  file     glove/glove.6B.300d.txt   (missing)",
    ]  # fmt: skip
    verified = cli.run("data", "verify", "glove_6b")
    assert verified.returncode == 1
    assert [line.partition(":")[0] for line in verified.stdout.splitlines()] == ["glove_6b", "glove_6b"]


def test_the_tracked_pages_leave_tables_of_the_users_own_out(own_folder, monkeypatch, cli):
    write_file(own_folder / "reproduce/mine/first.yaml", "extends: disan/table2\n")
    assert "mine/first: yours, so its pages stay in the local results" in cli.error("publish", "mine/first")
    assert "disan: DiSAN" in cli.output("show", "mine/first", "scale=mini")
    written: list[str] = []
    monkeypatch.setattr(pages, "tables_in", lambda folders, names, *others: written.extend(names) or [])
    cli.output("collate")
    assert "disan/table2" in written
    assert "mine/first" not in written


def test_mistakes_end_as_one_sentence_before_anything_is_written(own_folder, home, cli):
    (own_folder / "own_raises.py").write_text("raise OSError('no licence')\n")
    (own_folder / "conf/model").mkdir(parents=True)
    path = own_folder / "conf/model/raising.yaml"
    path.write_text("_target_: own_raises.X\n")
    wanted = f"attest: {path}:1: model._target_: cannot import own_raises: {own_folder}/own_raises.py:1: OSError: no"
    for words in (["train", "model=raising"], ["reproduce", "disan/table2", "with=model=raising"]):
        (line,) = cli.error(*words).splitlines()
        assert line.startswith(wanted)
    error = cli.error("train", "label.table=disan/table1", "label.row=mine")
    assert "label.row: disan/table1 runs no row mine" in error
    assert not (home / "results").exists()


def test_help_and_completion_know_the_folder(own_folder, tmp_path, monkeypatch, cli):
    for name in ("model/own_one", "dataset/own_two"):
        write_file(own_folder / f"conf/{name}.yaml", "name: x\n")
    assert cli.output("completion", "bash", "--line", "attest train model=own") == "model=own_one\n"
    printed = cli.output("train", "--help")
    assert "own_one" in printed
    assert "own_two" in printed
    monkeypatch.delenv("ATTEST_PATH")
    printed = cli.output("completion", "bash", "--line", f"attest train -cd {own_folder} dataset=own")
    assert printed == "dataset=own_two\n"
    assert cli.output("completion", "bash", "--line", "attest reproduce disan/table2 wi") == "with=\n"
    monkeypatch.setenv("ATTEST_PATH", str(tmp_path / "nowhere"))
    assert "nowhere: no such folder" in cli.error("train", "--help")
