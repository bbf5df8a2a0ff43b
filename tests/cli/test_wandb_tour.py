"""What a new user types to use W&B: a sweep, an earlier table, its workspace, a run that was killed twice."""

import json
import os
import re
import signal
from collections.abc import Sequence

import pytest
from commands import attest, run
from places import ROOT
from runs.fake_wandb import KEY, FakeServer

MASKS = ("forward", "backward")
SHORT = ("protocol.steps=6", "protocol.evaluate_every=2", "trainer.threads=1", "trainer.progress=false")
LONGER = ("model=s2t", "protocol.steps=12", "protocol.evaluate_every=2", "trainer.checkpoint_seconds=0")


def killed_attest(arguments: Sequence[str]) -> int:
    """Run the command line in a process that is killed after its second evaluation."""
    from attest.runs.wandb.mirror import WandbMirror

    evaluated, seen = WandbMirror.evaluated, []

    def evaluated_and_killed(mirror, entry):
        evaluated(mirror, entry)
        seen.append(entry)
        if len(seen) == 2:
            os.kill(os.getpid(), signal.SIGKILL)

    WandbMirror.evaluated = evaluated_and_killed
    return attest(arguments)


def evaluations(server: FakeServer, identity: str) -> list[int]:
    """Return the steps of the curve of a run at which the server has figures on dev."""
    return [row["_step"] for row in server.curve(identity) if "dev/accuracy" in row]


@pytest.fixture
def tracked_records(home):
    """The tracked records of the project's runs with seed 1 are in the home of the test."""
    (home / "results/records").mkdir(parents=True)
    for path in (ROOT / "results/records").glob("*.json"):
        if re.search(r'"seed": 1,?$', path.read_text(), re.MULTILINE):
            for file in path.parent.glob(f"{path.stem}.*"):
                (home / "results/records" / file.name).symlink_to(file)


def test_the_tour(home_with_corpora, tracked_records, server, cli):
    offline = ("logger.online=false", *LONGER)
    for _ in range(2):
        assert run("train", *offline, main=killed_attest).returncode == -signal.SIGKILL
    cli.output("train", *offline)
    assert not server.runs
    assert "3 offline parts sent" in cli.output("wandb", "sync")
    (killed,) = server.runs
    assert evaluations(server, killed) == [2, 4, 6, 8, 10, 12]
    assert json.loads(server.runs[killed]["summary"])["best_step"] > 0

    table = cli.output("train", "-m", "model=disan", f"mask={','.join(MASKS)}", "seed=1,2", *SHORT)
    assert re.findall(r"^\| (\w+) \| 2 \|.*±", table, re.MULTILINE) == list(MASKS)
    swept = {identity: run for identity, run in server.runs.items() if identity != killed}
    assert len(swept) == 4
    assert {run["groupName"] for run in swept.values()} == {
        "sweep of mask, seed with model=disan " + " ".join(SHORT[:2])
    }
    assert len({run["displayName"] for run in swept.values()}) == 4
    for identity, fields in swept.items():
        assert evaluations(server, identity) == [2, 4, 6]
        assert json.loads(fields["summary"])["test/accuracy"] > 0
        assert server.config(identity)["mask"] in MASKS

    sent = cli.output("wandb", "push", "disan/table1")
    (count,) = re.findall(r"^(\d+) runs are on W&B", sent, re.MULTILINE)
    pushed = {identity: server.config(identity) for identity in server.runs.keys() - swept.keys() - {killed}}
    assert len(pushed) == int(count) > 1
    assert all(evaluations(server, identity) for identity in pushed)

    cli.output("wandb", "workspace", "disan/table1")
    (view,) = server.views.values()
    filters = json.loads(view["spec"])["section"]["runSets"][0]["filters"]["filters"]
    tables, scales = (item["value"] for item in filters)
    assert {config["disan/table1"]["table"] for config in pushed.values()} == {*tables}
    assert {config["scale"] for config in pushed.values()} == {*scales} == {"paper"}

    assert KEY.encode() not in b"".join([*server.bodies, *server.uploads.values()])
