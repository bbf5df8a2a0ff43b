"""Several processes make the runs of one sweep: each run is made once."""

import json
import time
from dataclasses import asdict
from pathlib import Path

import pytest
from commands import Command
from homes import records_of
from system.holders_elsewhere import ELSEWHERE

from attest.errors import BusyError
from attest.training import run


def test_processes_share_a_sweep(home, mini_data, tmp_path):
    """Each run is carried out once, and all processes end when all runs are done.

    The first process is held in its first run until another one has begun the other run.
    """
    sweep = (
        "train", "-m", "model=s2t", "logger=none", "protocol.steps=4", "protocol.evaluate_every=2",
        "trainer.progress=false", "trainer.on_train=false", f"paths.data={mini_data}",
        f"trainer.callbacks=[{{_target_:cluster.slow.Held,folder:{tmp_path}}}]",
        "packages=[attest,torch.optim,cluster]",
    )  # fmt: skip

    def start(*more):
        return Command(*sweep, *more)

    commands = [start("seed=1,2")]
    wait_for_files(tmp_path, 1)
    commands.append(start("seed=1,2", "hydra/launcher=joblib", "hydra.launcher.n_jobs=2"))
    wait_for_files(tmp_path, 2)
    (tmp_path / "go").touch()
    commands.append(start("seed=2", "hydra/launcher=submitit_local"))
    errors = [command.communicate()[1] for command in commands]
    assert [command.returncode for command in commands] == [0, 0, 0], errors
    assert sorted(record.seed for record in records_of(home)) == [1, 2]
    assert not list(home.rglob("lease.json"))
    assert len(list(tmp_path.glob("*.begun"))) == 2, errors


def wait_for_files(folder, count, seconds=300):
    """Return when so many runs have left a file in a folder; fail if that takes too long."""
    until = time.monotonic() + seconds
    while len(list(folder.glob("*.begun"))) < count:
        assert time.monotonic() < until, "the runs have not begun"
        time.sleep(0.1)


def test_a_run_is_not_made_while_somebody_else_makes_it(settings_with, monkeypatch):
    settings = settings_with("protocol.steps=2", "model=s2t")
    from attest.data.prepare import prepare
    from attest.runs.identity import run_id

    folder = Path(settings.paths.runs) / run_id(settings, prepare(settings).fingerprint)
    folder.mkdir(parents=True)
    (folder / "lease.json").write_text(json.dumps(asdict(ELSEWHERE)))
    monkeypatch.setattr(run, "train", lambda *arguments: pytest.fail("made twice"))
    with pytest.raises(BusyError):
        run.run(settings)
