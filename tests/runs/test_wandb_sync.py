"""What `attest wandb sync` sends of a run that the server knows in part."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import wandb
from homes import store_of
from runs.wandb_cases import CARD, entry, record

from attest.runs.wandb.completion import is_known_in_part
from attest.runs.wandb.mirror import mirror_run
from attest.system.leases import lease, lease_beside, lease_file


@pytest.fixture
def train(settings_with):
    """Train a part of a run, of which an earlier part has left the `earlier` evaluations."""

    def part(online, steps, earlier=(), card=CARD, finished=None):
        with mirror_run(settings_with("logger=wandb", f"logger.online={online}"), card) as observer:
            if earlier:
                observer.resumed([entry(step) for step in earlier])
            for step in steps:
                observer.evaluated(entry(step))
            if finished is not None:
                observer.finished(finished)

    return part


def curve(server, identity="abc"):
    return [(row["_step"], row["dev/accuracy"]) for row in server.curve(identity) if "dev/accuracy" in row]


def whole(*steps):
    return [(step, step) for step in steps]


def test_a_run_that_was_pushed_is_not_sent_again(server, train, home, cli):
    made = record("aa1", kind="parser")
    train("false", (2, 4), card=replace(CARD, id="aa1"), finished=made)
    store_of(home, "local").put(made)
    cli.output("wandb", "push", "aa1")
    for sent in ("aa1  1 offline part sent", "nothing is left"):
        assert sent in cli.output("wandb", "sync")
        assert curve(server, "aa1") == whole(2, 4)
    assert json.loads(server.runs["aa1"]["summary"])["dev/accuracy"] == 2.0, "that of the best weights"


def test_the_offline_beginning_of_a_run_that_went_on_online_is_not_sent_again(server, train, cli):
    train("false", (2, 4))
    train("true", (6,), earlier=(2, 4), finished=record(steps=(2, 4, 6)))
    cli.output("wandb", "sync")
    assert curve(server) == whole(2, 4, 6)
    assert json.loads(server.runs["abc"]["summary"])["status"] == "done"


def test_the_offline_end_of_a_run_that_began_online_is_sent(server, train, cli):
    train("true", (2, 4))
    train("false", (6, 8), earlier=(2, 4), finished=record(steps=(2, 4, 6, 8)))
    cli.output("wandb", "sync")
    assert curve(server) == whole(2, 4, 6, 8)
    summary = json.loads(server.runs["abc"]["summary"])
    assert (summary["status"], summary["test/accuracy"], summary["dev/accuracy"]) == ("done", 81.5, 2.0)
    assert server.runs["abc"]["displayName"] == CARD.name
    assert server.config("abc")["optimizer"] == CARD.config["optimizer"]


def test_a_part_of_a_run_that_goes_on_is_left(server, settings_with, train, cli):
    folder = Path(settings_with().paths.runs)
    train("false", (2, 4))
    with lease(lease_file(folder / "abc")):
        printed = cli.output("wandb", "sync")
    assert "\n0 offline parts sent, 1 part of runs that go on is left in " in f"\n{printed}"
    assert "\n1 offline part sent, nothing is left in " in cli.output("wandb", "sync")


def test_one_upload_at_a_time(server, settings_with, train, cli):
    train("false", (2, 4))
    with lease(lease_beside(Path(settings_with().paths.wandb))):
        assert "is in progress in process" in cli.error("wandb", "sync", code=1)
    assert "abc" not in server.runs
    cli.output("wandb", "sync")
    assert curve(server) == whole(2, 4)


def test_a_server_that_does_not_answer_leaves_the_rest_for_later(server, train, monkeypatch, cli):
    train("true", (2, 4))
    train("false", (6,), earlier=(2, 4))
    server.failing = 400
    assert "1 of 1 offline part not sent (abc: not sent whole" in cli.error("wandb", "sync", code=1)
    server.failing = None
    cli.output("wandb", "sync")
    assert curve(server) == whole(2, 4, 6)


def test_a_run_is_known_in_part_also_if_its_last_step_is_0(settings_with, monkeypatch):
    """W&B counts from 0, and a run without a step has no such entry."""
    summary = {"_step": 0}
    known = SimpleNamespace(default_entity="me", run=lambda path: SimpleNamespace(summary=summary))
    monkeypatch.setattr(wandb, "Api", lambda: known)
    found = [
        {"type": "run", "run": {"project": "attest", "run_id": "abc"}},
        {"type": "history", "history": {"item": {"_step": 0}}},
    ]
    assert is_known_in_part(settings_with("logger=wandb"), found)
    summary.clear()
    assert not is_known_in_part(settings_with("logger=wandb"), found)
