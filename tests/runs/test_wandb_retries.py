"""A run that is repeated under its id, such as with retry_uncommitted: the same steps, other figures."""

import json
from pathlib import Path

import pytest
from runs.fake_wandb import put_aside
from runs.wandb_cases import CARD, entry, mirror, record

from attest.runs.store import Store
from attest.runs.wandb.mirror import mirror_run
from attest.runs.wandb.push import push
from attest.runs.wandb.retries import EARLIER_CURVE

CURVE = [{**entry(step), "dev/accuracy": 90.0 + step} for step in (2, 4)]
REPEATED = record(kind="train", curve=CURVE, metrics={"test/accuracy": 95.0, "dev/accuracy": 94.0})
WARNING = "keeps the curve of an earlier training of abc"


def repeat(settings):
    """Train a recorded run again, from its first step."""
    Store(Path(settings.paths.records)).put(record())
    with mirror_run(settings, CARD) as observer:
        for each in CURVE:
            observer.evaluated(each)
        observer.finished(REPEATED)


def figures(server):
    summary = json.loads(server.runs["abc"]["summary"])
    return [row["dev/accuracy"] for row in server.curve("abc")], summary["dev/accuracy"], summary.get(EARLIER_CURVE)


def test_online_beside_a_curve_that_the_server_has(settings_with, server, caplog):
    settings = settings_with("logger=wandb")
    mirror(settings, (2, 4), end=True)
    assert WARNING not in caplog.text
    repeat(settings)
    assert WARNING in caplog.text
    assert figures(server) == ([2.0, 4.0], 94.0, True)


@pytest.mark.parametrize("sent", [True, False])
def test_offline_after_an_offline_run(settings_with, server, home, caplog, sent, cli):
    settings = settings_with("logger=wandb", "logger.online=false")
    mirror(settings, (2, 4), end=True)
    if sent:
        cli.output("wandb", "sync")
    put_aside(home, 0)
    repeat(settings)
    assert (WARNING in caplog.text) == sent
    cli.output("wandb", "sync")
    assert figures(server) == (([2.0, 4.0], 94.0, True) if sent else ([92.0, 94.0], 94.0, None))


def test_offline_after_an_online_run(settings_with, server, caplog, cli):
    mirror(settings_with("logger=wandb"), (2, 4), end=True)
    repeat(settings_with("logger=wandb", "logger.online=false"))
    assert WARNING not in caplog.text, "the server is not asked"
    cli.output("wandb", "sync")
    assert WARNING in caplog.text
    assert figures(server) == ([2.0, 4.0], 94.0, True)


def test_push_of_the_record_of_a_repetition(settings_with, server, caplog):
    settings = settings_with("logger=wandb")
    mirror(settings, (2, 4), end=True)
    push(settings, CARD, record(kind="train"), [])
    assert WARNING not in caplog.text, "the record of the same training"
    push(settings, CARD, REPEATED, [])
    assert WARNING in caplog.text
    assert figures(server) == ([2.0, 4.0], 94.0, True)


def test_a_repetition_that_was_interrupted_goes_on(settings_with, server, caplog):
    """Its checkpoint is newer than the record of the run that it repeats."""
    settings = settings_with("logger=wandb")
    Store(Path(settings.paths.records)).put(record())
    mirror(settings, (2, 4))
    (Path(settings.paths.runs) / "abc").mkdir(parents=True)
    (Path(settings.paths.runs) / "abc/last.ckpt").touch()
    mirror(settings, (6,))
    assert WARNING not in caplog.text
    assert [row["_step"] for row in server.curve("abc")] == [2, 4, 6]
