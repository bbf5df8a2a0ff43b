"""Only the latest launches are kept, and those that may run."""

import os
from types import SimpleNamespace

from attest.runs import launch_cleanup
from attest.runs.launch_cleanup import delete_old_launches
from attest.runs.launches import create_launch
from attest.system.files import partial_path
from hydra_plugins.attest_sweepers._launching import open_launch


def add_launch(runs, title, engine):
    """Add a launch as a command does."""
    delete_old_launches(runs)
    return create_launch(runs, title, engine, {"disan seed=1": ["model=disan", "seed=1"]})


def test_old_launches_and_halves_of_launches_are_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(launch_cleanup, "KEPT", 3)
    monkeypatch.setattr(launch_cleanup, "is_alive_in", lambda *process: False)
    half = tmp_path / "runs/launches/20000101-000000-abc"
    half.mkdir(parents=True)
    partial = partial_path(half / "launch.json")
    partial.with_name(partial.name.replace(partial.name.split("-")[-2], "99999999")).touch()
    made = [add_launch(tmp_path / "runs", f"sweep {number}", "basic") for number in range(5)]
    left = sorted(path.name for path in half.parent.iterdir())
    assert len(left) == 3
    assert half.name not in left
    assert made[-1].id in left


def test_a_launch_that_runs_is_kept_however_old_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(launch_cleanup, "KEPT", 3)
    made = [add_launch(tmp_path / "runs", f"sweep {number}", "basic") for number in range(5)]
    assert {launch.id for launch in made} == {path.name for path in made[0].folder.parent.iterdir()}


def test_a_launch_of_another_machine_is_kept_for_a_month(tmp_path, monkeypatch):
    monkeypatch.setattr(launch_cleanup, "KEPT", 2)
    monkeypatch.setattr(launch_cleanup, "is_alive_in", lambda *process: None)
    made = [add_launch(tmp_path / "runs", f"sweep {number}", "slurm") for number in range(3)]
    oldest, *others = sorted(launch.folder for launch in made)
    for path in (*oldest.iterdir(), oldest):
        os.utime(path, (0, 0))
    add_launch(tmp_path / "runs", "another", "slurm")
    assert [folder.exists() for folder in (oldest, *others)] == [False, True, True]


def test_a_command_that_launches_jobs_deletes_old_launches(home, monkeypatch):
    monkeypatch.setattr(launch_cleanup, "KEPT", 2)
    monkeypatch.setattr(launch_cleanup, "is_alive_in", lambda *process: False)
    opened = [open_launch(SimpleNamespace(), {"seed=1": ["seed=1"]}, f"sweep {number}") for number in range(3)]
    assert sum(launch.folder.exists() for launch in opened) == 2  # names within one second have no order
    assert opened[-1].folder.exists()
    assert opened[0].folder.parent == home / "runs/launches"
