"""Runs on a W&B server: with W&B's own client, against a small fake of the server on this machine."""

import json
from dataclasses import replace

import numpy as np
import pytest
import wandb
from homes import store_of
from runs.fake_wandb import KEY, put_aside
from runs.wandb_cases import CARD, entry, mirror, observe, record
from write_file import write_file

from attest.runs.observers import StepFigures
from attest.runs.wandb import mirror as wandb_mirror
from attest.runs.wandb.mirror import mirror_run
from attest.runs.wandb.push import push
from attest.runs.wandb.segments import history, segment_files, segment_items
from attest.training import run as training


def test_a_run_online(settings_with, server, home):
    mirror(settings_with("logger=wandb"), (2, 4), end=True)
    run = server.runs["abc"]
    assert (run["displayName"], run["groupName"], run["jobType"], run["notes"], run["tags"]) == (
        "disan seed=1", "disan/table1", "train", "c", ["scale=mini"])  # fmt: skip
    assert server.config("abc")["optimizer"] == {"lr": 0.5}
    assert [row["_step"] for row in server.curve("abc")] == [2, 4]
    summary = json.loads(run["summary"])
    assert (summary["test/accuracy"], summary["best_step"]) == (81.5, 2)
    assert summary["dev/accuracy"] == 2.0, "that of the best weights, not of the last evaluation"
    assert (run["complete"], run["exitcode"]) == (True, 0)
    written = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file() and "cache" not in path.parts)
    assert KEY.encode() not in written + b"".join(server.bodies)


@pytest.mark.parametrize("sent", [(), (2,)])
def test_an_evaluation_that_a_killed_process_did_not_send_is_sent_later(sent, settings_with, server):
    """The first process has sent a point of step 4, but not the evaluation after it."""
    settings = settings_with("logger=wandb")
    with mirror_run(settings, CARD) as observer:
        for step in sent:
            observer.evaluated(entry(step))
        observer.step(4, lambda: StepFigures(loss=1.0, lr=0.1, grad_norm=1.0, examples=4, seconds=1.0))
    wandb.teardown()
    with mirror_run(settings, CARD) as observer:
        observer.resumed([entry(2), entry(4)])
        observer.evaluated(entry(6))
    assert [row["step"] for row in server.curve("abc") if "dev/accuracy" in row] == [2, 4, 6]


def test_offline_parts_of_one_run_sync_as_one_curve(settings_with, server, home, cli):
    """The second part repeats steps that the first has logged, as a run does that goes on from its checkpoint."""
    offline = settings_with("logger=wandb", "logger.online=false")
    for number, steps in enumerate(((2, 4), (4, 6), (6, 8, 10))):
        mirror(offline, steps)
        put_aside(home, number)
    assert not server.runs
    assert "abc  3 offline parts sent" in cli.output("wandb", "sync")
    assert [(row["_step"], row["dev/accuracy"]) for row in server.curve("abc")] == [(n, n) for n in (2, 4, 6, 8, 10)]
    assert "0 offline parts sent" in cli.output("wandb", "sync")
    assert len(server.curve("abc")) == 5


def test_parts_that_were_killed_are_uploaded_as_far_as_they_go(settings_with, server, home, cli, monkeypatch, tmp_path):
    """The first part has only its header, and the second lost its end; the third gets the curve of the checkpoint."""
    monkeypatch.chdir(tmp_path)
    offline = settings_with("logger=wandb", "logger.online=false")
    kept = {0: 7, 1: -60}
    for number, steps in enumerate(((2, 4), (6, 8), (10,))):
        with mirror_run(offline, CARD) as observer:
            observer.resumed([entry(step) for step in range(2, steps[0], 2)])
            for step in steps:
                observer.evaluated(entry(step))
        path = put_aside(home, number) / "run-abc.wandb"
        path.write_bytes(path.read_bytes()[: kept.get(number)])
    for sent in ("abc  3 offline parts sent", "0 offline parts sent"):
        assert sent in cli.output("wandb", "sync")
        assert [(row["_step"], row["dev/accuracy"]) for row in server.curve("abc")] == [
            (n, n) for n in (2, 4, 6, 8, 10)
        ]
    assert not list(tmp_path.iterdir()), "the current folder is left alone"


def test_push_makes_a_run_once_and_completes_one(settings_with, server, home, cli):
    store = store_of(home, "local")
    store.put(record("aa1", kind="parser"))
    for sent in ("new run, 2 evaluations sent", "0 evaluations sent"):
        assert sent in cli.output("wandb", "push", "aa1", "scale=paper")
    store.put(record("aa1", (2, 4, 6), kind="parser"))
    cli.output("wandb", "push", "aa1")
    assert [row["_step"] for row in server.curve("aa1")] == [2, 4, 6]
    assert json.loads(server.runs["aa1"]["summary"])["test/accuracy"] == 81.5
    assert server.runs["aa1"]["jobType"] == "parser"
    assert server.config("aa1")["data"] == {"fingerprint": "f"}


def test_push_without_names_sends_the_runs_of_both_scales(settings_with, server, home, cli):
    assert cli.output("wandb", "push").startswith("there is no finished run here, so nothing is sent; ")
    store_of(home, "local").put(record("aa1"))
    store_of(home).put(record("bb1"))
    store_of(home).put(record("cc1", status="failed"))
    assert "2 runs are on W&B" in cli.output("wandb", "push")
    assert set(server.runs) == {"aa1", "bb1"}
    assert "1 run is on W&B" in cli.output("wandb", "push", "scale=mini")


def test_predictions_and_weights_by_choice(settings_with, server, home, cli):
    store = store_of(home, "local")
    store.put(record("aa1"), {"row": np.arange(3), "label": np.array([0, 1, 1])})
    write_file(home / "runs/aa1/best-2.pt", b"weights")
    cli.output("wandb", "push", "aa1")
    assert not [name for name in server.uploads if "predictions" in name or name.endswith(".pt")]
    cli.output("wandb", "push", "aa1", "logger.artifacts=true")
    assert server.uploads["best-2.pt"] == b"weights"
    table = json.loads(server.uploads["predictions.table.json"])
    assert (table["columns"], table["data"]) == (["row", "label"], [[0, 0], [1, 1], [2, 1]])
    assert json.loads(server.runs["aa1"]["summary"])["predictions"]["nrows"] == 3
    sent = b"".join([*server.bodies, *server.uploads.values()])
    assert KEY.encode() not in sent


def test_weights_that_the_server_does_not_take_are_an_error(settings_with, server, home, monkeypatch, cli):
    monkeypatch.setattr(wandb_mirror, "FINISH_SECONDS", 5.0)
    store_of(home, "local").put(record("aa1"))
    write_file(home / "runs/aa1/best-2.pt", b"weights")
    answer = server.answer
    monkeypatch.setattr(
        server, "answer", lambda query, given: {} if "createArtifactManifest" in query else answer(query, given)
    )
    done = cli.run("wandb", "push", "aa1", "logger.artifacts=true")
    assert (done.returncode, "aa1: not sent whole" in done.stderr) == (1, True), done.stderr
    assert wandb.run is None, "the run is ended"


def test_pushing_another_table_keeps_the_names_in_the_first(settings_with, server):
    """Tables share runs: the workspace of each filters by its own entry of the config."""
    for table in ("disan/table1", "psan/table2"):
        card = replace(CARD, config={"cell": {"table": table}, table: {"row": "disan"}})
        push(settings_with("logger=wandb"), card, record(), [])
    found = server.config("abc")
    assert found["disan/table1"] == found["psan/table2"] == {"row": "disan"}
    assert found["cell"] == {"table": "psan/table2"}


def test_an_offline_run_as_w_and_bs_own_program_reads_it(settings_with, home, monkeypatch):
    monkeypatch.setenv("WANDB_API_KEY", KEY)
    mirror(settings_with("logger=wandb", "logger.online=false"), (2, 4), end=True)
    (path,) = segment_files(home / "runs", "abc")
    found = list(segment_items(path))
    (run,) = [entry["run"] for entry in found if entry["type"] == "run"]
    assert (run["run_id"], run["display_name"], run["run_group"]) == ("abc", "disan seed=1", "disan/table1")
    assert [row["dev/accuracy"] for row in history(path)] == [2, 4]
    assert found[-1]["type"] == "exit"
    assert not [path for path in home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize("status", [500, 0])
def test_a_server_that_fails_stops_no_run(settings_with, server, monkeypatch, caplog, status, cli):
    """The run goes on, its record is complete, and what is left is uploaded later."""
    monkeypatch.setattr(wandb_mirror, "START_SECONDS", 0.5)
    server.failing = status
    settings = settings_with("logger=wandb", "model=s2t", "protocol.steps=4", "protocol.evaluate_every=2")
    record = training.run(settings, observe)
    assert (record.status, [entry["step"] for entry in record.curve]) == ("done", [2, 4])
    assert "starting a run that is online" in caplog.text
    assert KEY not in caplog.text
    server.failing = None
    cli.output("wandb", "sync")
    assert [row["_step"] for row in server.curve(record.id) if "dev/accuracy" in row] == [2, 4]
    assert json.loads(server.runs[record.id]["summary"])["test/accuracy"] == record.metrics["test/accuracy"]


def test_a_connection_that_breaks_leaves_a_record_that_push_completes(
    settings_with, server, home, monkeypatch, caplog, cli
):
    monkeypatch.setattr(wandb_mirror, "FINISH_SECONDS", 0.5)
    with mirror_run(settings_with("logger=wandb"), CARD) as observer:
        observer.evaluated(entry(2))
        server.failing = 500
        observer.evaluated(entry(4))
        observer.finished(record())
    assert "ending a run (attest wandb push abc sends the rest)" in caplog.text
    wandb.teardown()
    store_of(home, "local").put(record(kind="parser"))
    monkeypatch.setattr(wandb_mirror, "START_SECONDS", 1.0)
    done = cli.run("wandb", "push", "abc")
    assert done.returncode == 1
    assert "0 of 1 runs are sent, and the same command goes on" in done.stderr
    server.failing = None
    monkeypatch.setattr(wandb_mirror, "START_SECONDS", 30.0)
    monkeypatch.setattr(wandb_mirror, "FINISH_SECONDS", 30.0)
    wandb.teardown()
    cli.output("wandb", "push", "abc")
    assert [row["_step"] for row in server.curve("abc")] == [2, 4]
    assert json.loads(server.runs["abc"]["summary"])["test/accuracy"] == 81.5


def test_without_a_key_nothing_is_started(home, monkeypatch, cli):
    monkeypatch.setenv("WANDB_BASE_URL", "http://wandb.example.org")
    assert "no API key for wandb.example.org" in cli.error("wandb", "push")
