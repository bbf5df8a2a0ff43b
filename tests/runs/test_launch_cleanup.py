"""Only the latest launches are kept, and those that may run."""

import dataclasses
import os
from pathlib import Path
from types import SimpleNamespace

from attest.runs import launch_cleanup
from attest.runs.launch_cleanup import delete_old_launches
from attest.runs.launches import JobState, all_launches, create_launch, read_launch, with_cluster_ids, write_state
from attest.system.files import partial_path
from attest.system.holders import Holder
from hydra_plugins.attest_sweepers._launching import open_launch


def add_launch(runs, title, engine):
    """Add a launch as a command does."""
    delete_old_launches(runs)
    return create_launch(runs, title, engine, {"disan seed=1": ["model=disan", "seed=1"]})


def test_old_launches_and_halves_of_launches_are_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(launch_cleanup, "MAX_LAUNCHES", 3)
    monkeypatch.setattr(Holder, "exists", lambda holder: False)
    half = tmp_path / "runs/launches/20000101-000000-abc"
    half.mkdir(parents=True)
    partial = partial_path(half / "launch.json")
    partial.with_name(partial.name.replace(partial.name.split("-")[-2], "99999999")).touch()
    made = [add_launch(tmp_path / "runs", f"sweep {number}", "basic") for number in range(5)]
    left = sorted(path.name for path in half.parent.iterdir())
    assert len(left) == 3
    assert half.name not in left
    assert made[-1].id in left


def test_commands_that_start_at_the_same_moment_leave_each_others_launches(tmp_path, monkeypatch):
    """Each step of a command that writes its launch is followed by another command that deletes old launches."""
    monkeypatch.setattr(launch_cleanup, "MAX_LAUNCHES", 2)
    runs = tmp_path / "runs"
    earlier = [add_launch(runs, f"sweep {number}", "basic") for number in range(2)]
    seen: list[set[str]] = []

    def disturbed(function):
        def call(*arguments, **options):
            result = function(*arguments, **options)
            delete_old_launches(runs)
            seen.append({launch.id for launch in all_launches(runs)} - {launch.id for launch in earlier})
            return result

        return call

    with monkeypatch.context() as patch:
        for owner, name in ((Path, "mkdir"), (Path, "write_bytes"), (os, "replace")):
            patch.setattr(owner, name, disturbed(getattr(owner, name)))
        launch = create_launch(runs, "disan/table1", "basic", {"disan seed=1": ["model=disan", "seed=1"]})
    assert read_launch(launch.folder) == launch
    assert len(seen) >= 4
    assert [found for found in seen if found] == [{launch.id}], "no launch is seen before it is complete"
    assert {path.name for path in launch.folder.parent.iterdir()} == {launch.id, *(other.id for other in earlier)}


def test_a_launch_that_a_killed_command_has_half_written_is_deleted(tmp_path):
    launches = tmp_path / "runs/launches"
    partial = partial_path(launches / "20260101-000000-abcdef")
    dead, alive = partial.with_name(partial.name.replace(f"-{os.getpid()}-", "-99999999-")), partial
    for folder in (dead, alive):
        folder.mkdir(parents=True)
        (folder / "launch.json").touch()
    delete_old_launches(tmp_path / "runs")
    assert [*launches.iterdir()] == [alive]


def test_a_launch_that_runs_is_kept_however_old_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(launch_cleanup, "MAX_LAUNCHES", 3)
    made = [add_launch(tmp_path / "runs", f"sweep {number}", "basic") for number in range(5)]
    assert {launch.id for launch in made} == {path.name for path in made[0].folder.parent.iterdir()}


def test_a_launch_of_another_machine_is_kept_for_a_month(tmp_path, monkeypatch):
    monkeypatch.setattr(launch_cleanup, "MAX_LAUNCHES", 2)
    monkeypatch.setattr(Holder, "exists", lambda holder: None)
    made = [add_launch(tmp_path / "runs", f"sweep {number}", "slurm") for number in range(3)]
    oldest, *others = sorted(launch.folder for launch in made)
    for path in (*oldest.iterdir(), oldest):
        os.utime(path, (0, 0))
    add_launch(tmp_path / "runs", "another", "slurm")
    assert [folder.exists() for folder in (oldest, *others)] == [False, True, True]


def test_a_launch_whose_jobs_wait_in_the_queue_of_a_cluster_is_kept_for_a_month(tmp_path, monkeypatch):
    """The command was detached, one job is done, and another was saved at its time limit and requeued."""
    monkeypatch.setattr(launch_cleanup, "MAX_LAUNCHES", 2)
    monkeypatch.setattr(Holder, "exists", lambda holder: False)
    jobs = {f"disan seed={seed}": ["model=disan", f"seed={seed}"] for seed in (1, 2)}
    launch = create_launch(tmp_path / "runs", "disan/table1", "slurm", jobs)
    launch.folder.rename(oldest := launch.folder.with_name("20000101-000000-abcdef"))
    with_cluster_ids(dataclasses.replace(launch, folder=oldest), {0: "7_0", 1: "7_1"})
    write_state(oldest, 0, JobState(status="done", run="abc"))
    for status in (None, "stopped"):
        if status:
            write_state(oldest, 1, JobState(status=status, run="def"))
        for number in range(3):
            add_launch(tmp_path / "runs", f"sweep {number}", "basic")
        assert oldest.exists(), status
    write_state(oldest, 1, JobState(status="done", run="def"))
    add_launch(tmp_path / "runs", "another", "basic")
    assert not oldest.exists()


def test_a_launch_whose_jobs_never_left_the_queue_is_deleted_after_a_month(tmp_path, monkeypatch):
    """A job that was adopted from an earlier launch has a link to a state that does not exist."""
    monkeypatch.setattr(launch_cleanup, "MAX_LAUNCHES", 2)
    monkeypatch.setattr(Holder, "exists", lambda holder: False)
    launch = add_launch(tmp_path / "runs", "sweep", "slurm")
    launch.folder.rename(oldest := launch.folder.with_name("20000101-000000-abcdef"))
    with_cluster_ids(dataclasses.replace(launch, folder=oldest), {0: "7_0"})
    (oldest / "0.json").symlink_to(tmp_path / "missing.json")
    for path in (*oldest.iterdir(), oldest):
        os.utime(path, (0, 0), follow_symlinks=False)
    for number in range(3):
        add_launch(tmp_path / "runs", f"sweep {number}", "basic")
    assert not oldest.exists()


def test_a_command_that_launches_jobs_deletes_old_launches(home, monkeypatch):
    monkeypatch.setattr(launch_cleanup, "MAX_LAUNCHES", 2)
    monkeypatch.setattr(Holder, "exists", lambda holder: False)
    opened = [open_launch(SimpleNamespace(), {"seed=1": ["seed=1"]}, f"sweep {number}") for number in range(3)]
    assert sum(launch.folder.exists() for launch in opened) == 2  # names within one second have no order
    assert opened[-1].folder.exists()
    assert opened[0].folder.parent == home / "runs/launches"
